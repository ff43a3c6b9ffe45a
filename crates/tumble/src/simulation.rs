//! A frame on one page: births ▶ obstacles and solver steps ▶ directors ▶ measures.
//!
//! A frame depends on the state at its beginning and on nothing else; that is what makes a resumed
//! run equal to an unbroken one.

use glam::DVec3;

use crate::contact::DeepestOfFrame;
use crate::direct::pile::{Pile, Piles};
use crate::direct::{Director, Stagehand};
use crate::emit::{Emitter, Progress, Turn, When, occupancy};
use crate::granular::{StepCount, StepLimit, TriedStep};
use crate::measure;
use crate::report::{FrameReport, SetupProblem, Warning};
use crate::setup::Setup;
use crate::solver::Engine;
use crate::stage::MOST_STEPS_PER_FRAME;
use crate::stage::{Stage, Stopwatch};
use crate::world::{Grip, MaterialId, Motion, Rest, ShapeId, World, WorldProblem};

/// How often in a frame emitters get their turn. Bodies of a stream are placed as if they had been
/// born on time, so this only decides how soon they can collide.
const BIRTHS_A_FRAME: usize = 8;

/// Counts over the whole run. Part of the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Frames advanced.
    pub frames: u64,
    /// Steps taken.
    pub steps: u64,
    /// Bodies removed because they left the world.
    pub removed: u64,
}

/// A world, a solver, and what directs them.
#[derive(Clone, Debug)]
pub struct Simulation {
    pub(crate) world: World,
    pub(crate) emitters: Vec<Emitter>,
    pub(crate) progress: Vec<Progress>,
    pub(crate) solver: Engine,
    /// Directors, in the order of their turns.
    pub(crate) directors: Vec<Director>,
    pub(crate) counts: Counts,
    fps: f64,
    first_frame: i64,
    seed: u64,
    bounds: Option<(DVec3, DVec3)>,
    limit: Option<StepLimit>,
    step: f64,
    steps_per_frame: usize,
}

impl Simulation {
    /// Chooses the step, makes what is born at the beginning, and is ready for the first frame.
    pub fn new(setup: Setup) -> Result<Self, SetupProblem> {
        setup.check()?;
        let kinds = setup.kinds();
        let Setup { world, emitters, solver, piles, step, fps, first_frame, seed, bounds } = setup;
        let (mut solver, step, limit) = Engine::new(solver, &world, &smallest_of_each_kind(kinds), step)?;
        let frame_time = 1.0 / fps;
        // A whole number of steps fills a frame. The slack keeps a step that divides the frame from
        // being halved by rounding.
        let steps = (frame_time / step - 1e-9).ceil().max(1.0);
        if steps > MOST_STEPS_PER_FRAME {
            return Err(SetupProblem::TooManySteps { steps, limit });
        }
        solver.set_step(frame_time / steps);
        // Adaptive steps are divided by births only.
        let steps_per_frame = if solver.is_adaptive() { BIRTHS_A_FRAME } else { steps as usize };
        let mut simulation = Self {
            solver,
            directors: vec![Director::Pile(Piles::new(piles))],
            progress: vec![Progress::default(); emitters.len()],
            world,
            emitters,
            counts: Counts::default(),
            fps,
            first_frame,
            seed,
            bounds,
            limit,
            step: frame_time / steps_per_frame as f64,
            steps_per_frame,
        };
        simulation.emit(0.0, 0.0);
        // Bodies born at once at the beginning must fit; later ones can wait for room.
        for (emitter, progress) in simulation.emitters.iter().zip(&simulation.progress) {
            if emitter.when == When::AtOnce(0.0) && progress.born < emitter.count {
                let name = emitter.name.clone();
                return Err(SetupProblem::NoRoom { emitter: name, wanted: emitter.count, fit: progress.born });
            }
        }
        Ok(simulation)
    }

    /// Advances by one frame.
    pub fn advance(&mut self) -> FrameReport {
        self.advance_timed(&mut Stopwatch::stopped())
    }

    /// Advances by one frame, and measures how long its stages take.
    pub fn advance_timed(&mut self, watch: &mut Stopwatch) -> FrameReport {
        // On a thread of the pool: from outside, every loop of every step would have to wake one
        // and wait for it.
        rayon::scope(|_| self.frame(watch))
    }

    fn frame(&mut self, watch: &mut Stopwatch) -> FrameReport {
        let builds = self.solver.list_builds();
        self.solver.begin_frame(&mut self.world, self.counts.frames, watch);

        let steps = self.step_through_frame(watch);
        self.counts.steps += steps.taken;
        self.counts.frames += 1;

        watch.start(Stage::Direct);
        let directed = self.direct();

        watch.start(Stage::Measure);
        let mut report = self.measure_since(self.solver.deepest_of_frame());
        report.list_builds = self.solver.list_builds() - builds;
        report.count_steps(&steps);
        report.warnings.extend(directed.err().map(Warning::Director));
        let can_pass_through = self.solver.can_pass_through();
        report.warn_of_motion(&self.world, can_pass_through.then_some(steps.longest));
        if can_pass_through {
            report.warn_of_obstacles(&self.world, steps.longest, 1.0 / self.fps);
        }
        self.remove_leavers(&mut report.warnings);
        watch.stop();
        report
    }

    /// A copy that is let go: no director, no emitter, and all bodies awake and at rest. Bodies
    /// that a director holds by a firm grip keep it if `holding`; all others have the friction of
    /// their materials.
    pub fn released(&self, holding: bool) -> Self {
        let mut copy = Self { directors: Vec::new(), emitters: Vec::new(), progress: Vec::new(), ..self.clone() };
        let bodies = &mut copy.world.bodies;
        bodies.grip.iter_mut().filter(|grip| !(holding && **grip == Grip::Firm)).for_each(|grip| *grip = Grip::Usual);
        bodies.motion.fill(Motion::default());
        bodies.rest.fill(Rest::default());
        copy
    }

    /// Lets directors have their turn.
    fn direct(&mut self) -> Result<(), WorldProblem> {
        let mut stage = Stagehand::new(&mut self.world, &self.solver, self.step, 1.0 / self.fps);
        self.directors.iter_mut().try_for_each(|director| director.direct(&mut stage))
    }

    /// Births and solver steps, from this frame to the next.
    fn step_through_frame(&mut self, watch: &mut Stopwatch) -> StepCount {
        let begin = self.time();
        let step = self.step;
        let at = |k: usize| begin + k as f64 * step;
        let mut count = StepCount::NONE;
        if self.is_adaptive() {
            // Only births cut a frame into pieces: without any, a step may be as long as a frame.
            let pieces = if self.waiting(f64::INFINITY) > 0 { BIRTHS_A_FRAME } else { 1 };
            for piece in 0..pieces {
                let every = BIRTHS_A_FRAME / pieces;
                let (from, to) = (at(piece * every), at((piece + 1) * every));
                watch.start(Stage::Emit);
                self.emit(from, to - from);
                count.add(&self.solver.adaptive_steps(&mut self.world, from, to, watch));
            }
            return count;
        }
        let births_every = self.steps_per_frame.div_ceil(BIRTHS_A_FRAME);
        for k in 0..self.steps_per_frame {
            if k % births_every == 0 {
                watch.start(Stage::Emit);
                self.emit(at(k), births_every as f64 * self.step);
            }
            self.solver.step(&mut self.world, at(k) + self.step, self.step, watch);
            count.take(self.step);
        }
        count
    }

    /// Gives every emitter its turn, which it last had `since` \[s\] ago.
    fn emit(&mut self, time: f64, since: f64) {
        let is_due = |(e, p): (&Emitter, &Progress)| p.born < e.due(time);
        if !self.emitters.iter().zip(&self.progress).any(is_due) {
            return;
        }
        let seed = self.seed;
        let turn = |stream: usize| Turn { stream: stream as u64, seed, time, since };
        let widest = |e: &Emitter| self.world.radius_of(e.shape, e.size[1]);
        // Only what is near can be in the way.
        let near: Vec<(DVec3, f64)> = (self.emitters.iter().enumerate())
            .filter(|(stream, emitter)| is_due((emitter, &self.progress[*stream])))
            .map(|(stream, emitter)| emitter.around(turn(stream), &self.world))
            .collect();
        let is_near = |centre: DVec3, radius: f64| near.iter().any(|ball| ball.0.distance(centre) < ball.1 + radius);
        let widest = self.emitters.iter().map(widest).fold(0.0, f64::max);
        let mut occupied = occupancy(&self.world, widest, is_near);
        for (stream, (emitter, progress)) in self.emitters.iter().zip(&mut self.progress).enumerate() {
            emitter.emit(turn(stream), progress, &mut self.world, &mut occupied);
        }
    }

    /// Measures the world as it is now.
    pub fn measure(&self) -> FrameReport {
        self.measure_since(DeepestOfFrame::default())
    }

    /// The same, with an overlap that was deeper before.
    fn measure_since(&self, mut deepest: DeepestOfFrame) -> FrameReport {
        let contacts = self.solver.look(&self.world);
        deepest.see(contacts.deepest, contacts.deepest_between);
        let mut report = FrameReport {
            frame: self.frame_number(),
            time: self.time(),
            bodies: self.world.bodies.len() as u64,
            awake: self.world.bodies.rest.iter().filter(|rest| !rest.asleep).count() as u64,
            contacts: contacts.count,
            joints: self.world.joints.len() as u64,
            kinetic_energy: measure::kinetic_energy(&self.world),
            potential_energy: measure::potential_energy(&self.world),
            deepest_overlap: deepest.depth,
            settled: measure::is_settled(&self.world) && self.waiting(f64::INFINITY) == 0,
            waiting: self.waiting(self.time()),
            ..FrameReport::default()
        };
        report.warn_of_overlap(deepest.between);
        report
    }

    /// Emitters that could not make all that was due by now: their names, how many they made and
    /// how many were due.
    pub fn starved(&self) -> Vec<(&str, u64, u64)> {
        let due = |e: &Emitter| e.due(self.time());
        let emitters = self.emitters.iter().zip(&self.progress);
        emitters.filter(|(e, p)| p.born < due(e)).map(|(e, p)| (e.name.as_str(), p.born, due(e))).collect()
    }

    /// Bodies that should have been born at `time` and were not, for want of room.
    fn waiting(&self, time: f64) -> u64 {
        self.emitters.iter().zip(&self.progress).map(|(e, p)| e.due(time).saturating_sub(p.born)).sum()
    }

    /// Removes bodies outside the bounds, each with a warning.
    fn remove_leavers(&mut self, warnings: &mut Vec<Warning>) {
        let Some((low, high)) = self.bounds else { return };
        let inside = |position: DVec3| position.cmpge(low).all() && position.cmple(high).all();
        let bodies = &self.world.bodies;
        // A body that is nowhere has not left; it is reported as broken.
        let gone: Vec<bool> =
            bodies.pose.iter().map(|pose| pose.position.is_finite() && !inside(pose.position)).collect();
        for row in bodies.rows_by_id().filter(|&row| gone[row]) {
            let body = bodies.traits[row].id;
            warnings.push(Warning::LeftTheWorld { body, position: bodies.pose[row].position });
            self.counts.removed += 1;
        }
        if gone.contains(&true) {
            self.take_out(&gone);
        }
    }

    /// Removes the rows that are `gone`, and wakes what may have lain on them.
    pub(crate) fn take_out(&mut self, gone: &[bool]) {
        self.solver.wake_around(&mut self.world, gone);
        self.world.bodies.remove_rows(|row| gone[row]);
    }

    /// The number of the present frame, as the user counts.
    pub fn frame_number(&self) -> i64 {
        self.first_frame + self.counts.frames as i64
    }

    /// Simulated time since the first frame \[s\].
    pub fn time(&self) -> f64 {
        self.counts.frames as f64 / self.fps
    }

    /// Time from one frame to the next \[s\].
    #[must_use]
    pub fn frame_length(&self) -> f64 {
        1.0 / self.fps
    }

    /// How long a step is \[s\]; for an adaptive integrator, the time between two births. It does
    /// not step: that is [`Simulation::advance`].
    #[must_use]
    pub fn step_length(&self) -> f64 {
        self.step
    }

    /// Steps in a frame.
    pub fn steps_per_frame(&self) -> usize {
        self.steps_per_frame
    }

    /// The steps that the stiffness allows; none for the rigid solver.
    pub fn step_limit(&self) -> Option<&StepLimit> {
        self.limit.as_ref()
    }

    /// Whether steps are as long as their error allows.
    pub fn is_adaptive(&self) -> bool {
        self.solver.is_adaptive()
    }

    /// The steps that an adaptive integrator tried since this was last asked, in order; noted from
    /// the first question on. Empty if steps have a fixed length.
    pub fn take_tried_steps(&mut self) -> Vec<TriedStep> {
        self.solver.take_tried_steps()
    }

    /// Counts over the whole run.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Whether directors have nothing left to do until something moves: where there are piles, all
    /// bodies lie asleep, and piles have proven that they stand.
    pub fn is_directed(&self) -> bool {
        let all_sleep = || self.world.bodies.rest.iter().all(|rest| rest.asleep);
        self.directors.iter().all(Director::is_done) && (self.piles().is_empty() || all_sleep())
    }

    /// Piles that there are: those whose place was given, and those found so far.
    pub fn piles(&self) -> &[Pile] {
        self.directors.first().map_or(&[], Director::piles)
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Puts obstacles where they are at the present time, after the state was replaced.
    pub(crate) fn drive_obstacles(&mut self) {
        let time = self.time();
        for obstacle in &mut self.world.obstacles {
            obstacle.drive(time);
        }
    }
}

/// Of kinds that differ in size only, the smallest.
fn smallest_of_each_kind(mut kinds: Vec<(ShapeId, MaterialId, f64)>) -> Vec<(ShapeId, MaterialId, f64)> {
    kinds.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
    kinds.dedup_by_key(|kind| (kind.0, kind.1));
    kinds
}
