//! A run: a scene with its particles, frame by frame, with sinks that look on. **The loop is
//! [`Run::go`].**

use std::path::Path;
use std::time::Instant;

use tumble::{Frame, FrameDetail, FrameReport, Simulation, Stage, Stopwatch, Warning};
use tumble_io::{Checkpoint, Header, MeshData};
use tumble_scene::Scene;

use crate::{Following, Report, RunError, RunWarning, Sink, Tally, header, outflow};

/// The end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Until {
    /// With the scene's last frame.
    #[default]
    LastFrame,
    /// When everything was born and has been at rest for a second, at the latest with the scene's
    /// last frame. The scene then ends with that frame.
    Rest,
}

/// Seconds of each stage, in the order of [`Stage::ALL`] \[s\].
pub type StageSeconds = [f64; Stage::ALL.len()];

/// A scene that is being run. Sinks read it.
#[derive(Debug)]
pub struct Run {
    scene: Scene,
    header: Header,
    meshes: Vec<MeshData>,
    following: Option<Following>,
    frame: Frame,
    frame_report: FrameReport,
    frame_seconds: StageSeconds,
    tally: Tally,
    resumed_from: Option<i64>,
    warnings: Vec<RunWarning>,
    session: Session,
}

/// Counts and times of one session of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Session {
    /// The whole session, and what the simulation took of it \[s\].
    pub(crate) wall_seconds: f64,
    pub(crate) simulation_seconds: f64,
    /// Bodies times steps.
    pub(crate) body_steps: u64,
    pub(crate) stage_seconds: StageSeconds,
}

impl Run {
    /// A scene at its first frame, with the particles that follow its grains.
    pub fn new(scene: Scene) -> Result<Self, RunError> {
        let (header, meshes) = header::of(&scene);
        let mut frame = Frame::default();
        scene.simulation.show(&mut frame);
        let (following, warnings) = match &scene.detail {
            Some((detailing, grains)) => {
                let (following, warnings) = Following::new(detailing, &header, &meshes, *grains, &frame)?;
                (Some(following), warnings)
            }
            None => (None, Vec::new()),
        };
        let frame_report = scene.simulation.measure();
        let mut tally = Tally::default();
        tally.count(&frame_report, outflow::passed(&scene));
        Ok(Self {
            scene,
            header,
            meshes,
            following,
            frame,
            frame_report,
            frame_seconds: StageSeconds::default(),
            tally,
            resumed_from: None,
            warnings,
            session: Session::default(),
        })
    }

    /// Runs the scene until it is over or `stop` says yes, which is asked before every frame.
    /// Called again, it goes on from there; after an error a run is over.
    pub fn go(
        &mut self,
        until: Until,
        sinks: &mut [&mut dyn Sink],
        stop: impl Fn() -> bool,
    ) -> Result<Report, RunError> {
        let begin = Instant::now();
        self.session = Session::default();
        sinks.iter_mut().try_for_each(|sink| sink.begin(self))?;
        // The first frame shows the start.
        if self.resumed_from.is_none() {
            sinks.iter_mut().try_for_each(|sink| sink.frame(self))?;
        }

        while !self.is_over(until) && !stop() {
            self.advance()?;
            sinks.iter_mut().try_for_each(|sink| sink.frame(self))?;
        }

        if until == Until::Rest && self.is_at_rest() {
            self.end_scene_here();
        }
        self.session.wall_seconds = begin.elapsed().as_secs_f64();
        let report = Report::of(self);
        sinks.iter_mut().try_for_each(|sink| sink.end(self, &report))?;
        self.resumed_from = Some(self.frame.number);
        Ok(report)
    }

    /// One frame: simulation ▶ what it shows ▶ particles that follow it.
    fn advance(&mut self) -> Result<(), RunError> {
        let begin = Instant::now();
        let mut watch = Stopwatch::new(seconds);
        self.frame_report = self.scene.simulation.advance_timed(&mut watch);
        self.session.simulation_seconds += begin.elapsed().as_secs_f64();
        self.session.body_steps += self.frame_report.steps * self.frame_report.bodies;
        self.tally.count(&self.frame_report, outflow::passed(&self.scene));
        if let Some(warning) = fatal(&self.frame_report) {
            return Err(RunError::NotFinite { frame: self.frame_report.frame, warning: warning.clone() });
        }

        self.scene.simulation.show(&mut self.frame);
        if let Some(following) = &mut self.following {
            following.advance(&self.frame, &mut watch);
        }

        self.frame_seconds = watch.seconds;
        for (sum, spent) in self.session.stage_seconds.iter_mut().zip(watch.seconds) {
            *sum += spent;
        }
        Ok(())
    }

    /// Takes up the state of a checkpoint; the recording has this hash of the particles of its
    /// frame.
    pub(crate) fn load(
        &mut self,
        checkpoint: &Checkpoint,
        tally: Tally,
        particles_hash: Option<u64>,
        path: &Path,
    ) -> Result<(), RunError> {
        self.scene.simulation.load(&checkpoint.state)?;
        if self.scene.simulation.state_hash() != checkpoint.state_hash {
            return Err(RunError::Unfit { path: path.to_owned(), what: "holds a state that does not come back" });
        }
        self.scene.simulation.show(&mut self.frame);
        if let Some(following) = &mut self.following {
            following.resume(checkpoint, path, &self.frame, particles_hash)?;
        }
        self.frame_report = self.scene.simulation.measure();
        self.tally = tally;
        self.resumed_from = Some(checkpoint.frame);
        Ok(())
    }

    /// Adds warnings.
    pub(crate) fn warn(&mut self, warnings: impl IntoIterator<Item = RunWarning>) {
        self.warnings.extend(warnings);
    }

    fn is_over(&self, until: Until) -> bool {
        self.frame.number >= self.scene.frames[1] || (until == Until::Rest && self.is_at_rest())
    }

    /// Whether everything has been at rest for a second, and directors leave it so.
    fn is_at_rest(&self) -> bool {
        let frames = self.tally.settled_frame.map_or(0, |first| self.frame.number - first + 1);
        frames >= self.scene.fps.ceil() as i64 && self.scene.simulation.is_directed()
    }

    /// Makes the present frame the scene's last.
    fn end_scene_here(&mut self) {
        self.scene.end_at(self.frame.number);
    }

    /// The scene, with the simulation as it is now.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The simulation as it is now.
    pub fn simulation(&self) -> &Simulation {
        &self.scene.simulation
    }

    /// The header that all frames share: shapes, materials, obstacles, camera.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The meshes that the header names by number.
    pub fn meshes(&self) -> &[MeshData] {
        &self.meshes
    }

    /// The present frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The particles of the present frame, if the scene has some.
    pub fn particles(&self) -> Option<&FrameDetail> {
        self.following.as_ref().map(Following::shown)
    }

    /// The particles at work, if the scene has some.
    pub fn following(&self) -> Option<&Following> {
        self.following.as_ref()
    }

    /// The present frame in numbers, and what went wrong in it.
    pub fn frame_report(&self) -> &FrameReport {
        &self.frame_report
    }

    /// Seconds that each stage took for the present frame.
    pub fn frame_seconds(&self) -> &StageSeconds {
        &self.frame_seconds
    }

    /// Counts of all frames up to the present one, also of earlier sessions.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The last frame that was there before this session, if it goes on with a run.
    pub fn resumed_from(&self) -> Option<i64> {
        self.resumed_from
    }

    /// Warnings about this run, known before its first frame.
    pub fn warnings(&self) -> &[RunWarning] {
        &self.warnings
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }
}

/// The warning after which a run cannot go on.
pub fn fatal(report: &FrameReport) -> Option<&Warning> {
    report.warnings.iter().find(|warning| matches!(warning, Warning::NotFinite { .. }))
}

/// The clock of stopwatches: seconds since it was first asked \[s\].
pub fn seconds() -> f64 {
    use std::sync::OnceLock;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64()
}
