//! The two runs of `tumble analyse detail` and the three ways to see a pile: full grains, carriers,
//! particles.
//!
//! A run leaves its recording in a folder of its own inside that of the study, as `tumble run`
//! would; the clock stands still while it is written.

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Instant;

use glam::DVec3;
use tumble::measure::{Ball, PileSurface, SurfaceDifference, grain_diameter, repose};
use tumble::world::BodyId;
use tumble::{Frame, FrameDetail, Stopwatch};
use tumble_io::{Recording, RecordingWriter, write_atomically};
use tumble_run::{
    Following, Forms,
    folder::{Folder, checkpoint_in, recording_in},
    header, up_in,
};
use tumble_scene::Scene;

use super::study::{Study, VariantEnd};
use super::vary::Variant;
use crate::{Failure, help, say};

/// A run that came to its end.
pub(super) struct DetailRun {
    scene: Scene,
    folder: PathBuf,
    pub(super) frames: u64,
    pub(super) steps: u64,
    /// Computing time of grains, and of their particles \[s\].
    pub(super) grains_seconds: f64,
    pub(super) particles_seconds: f64,
    /// The last frame: only carriers, and grains made in the place of carriers.
    end: Frame,
    particles: FrameDetail,
}

impl DetailRun {
    /// Runs a variant and records it in this folder of the study; none if it did not come to its
    /// end. Bodies of the shapes that are carriers are compared.
    pub(super) fn new(
        study: &mut Study,
        variant: &Variant,
        name: &str,
        is_carrier: &[bool],
    ) -> Result<Option<Self>, Failure> {
        let mut scene = variant.load()?;
        let folder = study.place(name);
        let (header, meshes) = header::of(&scene);
        let mut frame = Frame::default();
        scene.simulation.show(&mut frame);
        let mut following = match &scene.detail {
            Some((detailing, grains)) => {
                let (following, warnings) = Following::new(detailing, &header, &meshes, *grains, &frame)?;
                help::warn(&warnings);
                Some(following)
            }
            None => None,
        };
        let place = open(folder.clone())?;
        write_atomically(&place.scene(), |file| file.write_all(scene.resolved.as_bytes()))?;
        let mut recording = RecordingWriter::create(&place.recording(), &header, &meshes)?;
        recording.append_with(&frame, following.as_ref().map(Following::shown))?;

        let (mut frames, mut steps, mut grains_seconds, mut particles_seconds) = (0, 0, 0.0, 0.0);
        let end = study.run(&variant.name, &mut scene, |simulation, report, seconds| {
            frames += 1;
            steps += report.steps;
            grains_seconds += seconds;
            simulation.show(&mut frame);
            if let Some(following) = &mut following {
                let begin = Instant::now();
                following.advance(&frame, &mut Stopwatch::stopped());
                particles_seconds += begin.elapsed().as_secs_f64();
            }
            Ok(recording.append_with(&frame, following.as_ref().map(Following::shown))?)
        })?;
        recording.sync()?;
        let odd = following.as_ref().map(Following::oddities).unwrap_or_default();
        odd.iter().for_each(|what| say(format_args!("warning: {what}")));
        let particles = following.map_or_else(FrameDetail::default, |following| following.shown().clone());
        frame.bodies.retain(|body| is_carrier[body.shape.index()]);
        let run = Self { scene, folder, frames, steps, grains_seconds, particles_seconds, end: frame, particles };
        Ok((end == VariantEnd::Whole).then_some(run))
    }

    pub(super) fn seconds(&self) -> f64 {
        self.grains_seconds + self.particles_seconds
    }

    pub(super) fn grains(&self) -> u64 {
        self.end.bodies.len() as u64
    }

    pub(super) fn particles(&self) -> u64 {
        self.particles.particles.len() as u64
    }

    /// Length of a step \[s\]: the mean, where it changes.
    pub(super) fn step(&self) -> f64 {
        self.scene.simulation.time() / self.steps as f64
    }

    pub(super) fn recording(&self) -> Result<Recording, Failure> {
        Ok(Recording::open(&recording_in(&self.folder))?)
    }

    /// All balls of its grains.
    fn balls(&self) -> Vec<Ball> {
        self.forms().balls(&self.end)
    }

    fn forms(&self) -> Forms {
        let (header, meshes) = header::of(&self.scene);
        let Ok(forms) = Forms::new(&header, |mesh| Ok::<_, Infallible>(meshes[mesh as usize].clone()));
        forms
    }

    /// Diameter of a grain \[m\].
    pub(super) fn diameter(&self) -> f64 {
        grain_diameter(&self.balls())
    }

    /// A ball for each particle.
    fn particle_balls(&self) -> Vec<Ball> {
        let ball = |particle: &tumble::FrameParticle| Ball {
            centre: DVec3::from_array(particle.position.map(f64::from)),
            radius: particle.radius.into(),
            body: BodyId::from_number(particle.id.into()),
        };
        self.particles.particles.iter().map(ball).collect()
    }
}

/// Opens the folder of a run and empties it, unless it is that of another command: such a run has a
/// checkpoint.
fn open(path: PathBuf) -> Result<Folder, Failure> {
    if checkpoint_in(&path).exists() {
        return Err(format!("{} already holds a run\nhelp: -o chooses another folder", path.display()).into());
    }
    let folder = Folder::open(&path)?;
    folder.clear()?;
    Ok(folder)
}

/// The surface of a pile seen one way, beside that of the full grains.
pub(super) struct PileView {
    pub(super) name: &'static str,
    /// Angle of repose and its spread over directions \[°\]; NaN if it has none.
    pub(super) angle: [f64; 2],
    /// Height of the highest point, and how far the foot is from the axis \[m\].
    pub(super) top: f64,
    pub(super) radius: f64,
    /// Mean height of rings about the axis, each a carrier's diameter wide \[m\].
    pub(super) profile: Vec<f64>,
    pub(super) difference: SurfaceDifference,
}

impl PileView {
    /// Full grains, carriers, particles; none if any of them has nothing to look at.
    pub(super) fn all(carriers: &DetailRun, full: &DetailRun) -> Option<[Self; 3]> {
        let up = up_in(&full.scene.simulation);
        let [all, coarse, fine] = [full.balls(), carriers.balls(), carriers.particle_balls()];
        let base = all.iter().map(|ball| ball.centre.dot(up) - ball.radius).reduce(f64::min)?;
        let diameter = grain_diameter(&coarse);
        let surface = |balls: &[Ball]| PileSurface::new(balls, up, diameter, base);
        let right = surface(&all)?;
        let axis = right.axis();
        let way = |name, balls: &[Ball], heap: &[Ball]| {
            let surface = surface(balls)?;
            Some(Self {
                name,
                angle: repose(heap, up).map_or([f64::NAN; 2], |found| [found.angle, found.spread].map(f64::to_degrees)),
                top: surface.top(),
                radius: surface.radius(axis),
                profile: surface.profile(axis),
                difference: surface.difference(&right),
            })
        };
        Some([
            way("full grains", &all, &full.forms().of_heap(&full.end))?,
            way("carriers", &coarse, &carriers.forms().of_heap(&carriers.end))?,
            way("particles", &fine, &fine)?,
        ])
    }
}
