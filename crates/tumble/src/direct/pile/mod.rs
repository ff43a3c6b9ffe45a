//! Piles of objects by their angle of repose (Hsu & Keyser 2010; Hsu 2013, chapter 5).
//!
//! Reads where bodies are, how they move and who bears whom; writes who sleeps, and how firmly
//! bodies grip what they touch. It never changes a motion. After each frame, on one page in
//! `Piles::direct`: who has landed ▶ new piles, and piles that became one ▶ whose they are ▶ for
//! each pile: its axis ▶ its heap ▶ its rule.
//!
//! There are two rules. That of the paper (`layers.rs`) lets bodies sleep by density, closeness to
//! the axis and slowness. Its cone has room for twice or four times the objects there are, so that
//! only the inner part of each layer can sleep (H10) and the cone is not the pile's shape. Ours
//! (`shells.rs`) makes the angle of the cone that of the pile.
//!
//! ```
//! use tumble::prelude::*;
//!
//! // Blocks fall around the origin; the director makes layers of them and lets those inside sleep.
//! let mut world = World::ground();
//! let block = world.add_shape(Shape::cuboid("block", DVec3::new(0.12, 0.1, 0.08))?);
//! let region = Region::Box { low: DVec3::new(-0.4, -0.4, 0.2), high: DVec3::new(0.4, 0.4, 1.2) };
//! let place = Place::Region { region, pattern: Pattern::Lattice(None) };
//! let pour = Emitter::new("above", block, MaterialId(0), 40, place);
//! let angle = 30f64.to_radians();
//! let piles = vec![PileSettings { place: Some(DVec2::ZERO), ..PileSettings::new(angle) }];
//! let setup = Setup { emitters: vec![pour], piles, ..Setup::new(world, Rigid::DEFAULT) };
//! let mut simulation = Simulation::new(setup)?;
//! (0..72).for_each(|_| drop(simulation.advance()));
//! let [pile] = simulation.piles() else { return Err("one pile".into()) };
//! assert!(pile.centre == DVec2::ZERO && pile.radius > 0.1 && !pile.layers.is_empty());
//! assert!(simulation.measure().awake < 40);
//! // More than a right angle is an error with a sentence.
//! let piles = vec![PileSettings::new(2.0)];
//! let steep = Setup { piles, ..Setup::new(World::ground(), Rigid::DEFAULT) };
//! assert!(Simulation::new(steep).unwrap_err().to_string().contains("right angle"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aim;
mod cone;
mod find;
mod ground;
mod heap;
mod landed;
mod layers;
mod saved;
mod shells;
mod trial;

use glam::{DVec2, IVec2};

use crate::direct::{SeenBody, Stagehand};
use crate::frame::{Frame, FrameLayer};
use crate::world::check::{is_near, must};
use crate::world::{BodyId, Grip, Obstacle, ShapeId, World, WorldProblem};

pub use cone::Layer;
use ground::{Ground, square_at};
use heap::Heap;
use landed::LandedMemory;
use trial::PileTrial;

/// How long an axis whose place was not given takes to follow its members \[s\].
const FOLLOWING: f64 = 1.0;

/// By how much the bodies that landed grow in number before their mean diameter is taken anew: one
/// odd body that lands first does not set the scale for ever.
const RECOUNT: f64 = 2.0;

/// How far from its axis a pile is looked for: so much farther than its cone, and so many squares
/// more.
const AROUND: f64 = 1.25;
const BEYOND: f64 = 4.0;

/// Settings of a pile.
#[derive(Clone, Debug, PartialEq)]
pub struct PileSettings {
    /// Angle of repose \[rad\].
    pub angle: f64,
    /// Where its axis is \[m\]; if not said, piles are found wherever bodies land.
    pub place: Option<DVec2>,
    /// Height of what it stands on \[m\].
    pub base: f64,
    /// Shapes of the bodies that can be part of it; all if there are none.
    pub shapes: Vec<ShapeId>,
    /// The rule by which bodies sleep and wake.
    pub rule: Rule,
    /// The score τ above which bodies fall asleep \[-\].
    pub threshold: f64,
    /// Speed below which a body counts as slow, over √(g D) with the length D of a body \[-\].
    pub slow: f64,
    /// For how long a body must have been slow before it may fall asleep \[s\].
    pub grace: f64,
}

/// Rules by which bodies of a pile sleep and wake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The pile grows in shells, as a cone of its angle.
    Shells,
    /// The paper's: layers of a cone that is made larger when it is half full; an avalanche wakes
    /// all.
    Layers,
    /// The same, but an avalanche wakes only the layer that is too dense and those above it.
    LocalLayers,
}

impl PileSettings {
    /// With this angle \[rad\], on the ground at zero, where the first bodies land; numbers as in
    /// the paper.
    pub fn new(angle: f64) -> Self {
        let (shapes, rule) = (Vec::new(), Rule::Shells);
        Self { angle, place: None, base: 0.0, shapes, rule, threshold: 0.5, slow: 0.3, grace: 0.1 }
    }
}

impl PileSettings {
    /// Reports numbers with which there is no pile.
    pub(crate) fn check(&self, world: &World) -> Result<(), WorldProblem> {
        let of = || "a pile".to_string();
        let is_angle = self.angle > 0.0 && self.angle < 0.5 * std::f64::consts::PI;
        must(is_angle, of, "its angle must be above 0 and below a right angle")?;
        must(is_near(self.place.unwrap_or_default().extend(self.base)), of, "its place must be finite")?;
        let numbers = [self.threshold, self.slow, self.grace];
        must(numbers.iter().all(|n| *n >= 0.0 && n.is_finite()), of, "its numbers cannot be negative")?;
        self.shapes.iter().try_for_each(|&shape| world.shape(shape).map(|_| ()))
    }

    /// Whether bodies of this shape can be part of it.
    fn takes(&self, shape: ShapeId) -> bool {
        self.shapes.is_empty() || self.shapes.contains(&shape)
    }
}

/// A pile that grows. All of it is state.
#[derive(Clone, Debug, PartialEq)]
pub struct Pile {
    /// Its number among the settings.
    pub kind: u32,
    /// Where its axis is \[m\].
    pub centre: DVec2,
    /// Radius of the cone whose layers are shown \[m\]: in that bodies sleep.
    pub radius: f64,
    /// Radius of the cone with the volume of the whole heap \[m\].
    pub whole: f64,
    /// Layers of the cone, from the bottom up; none before the first bodies landed.
    pub layers: Vec<Layer>,
    /// How much steeper the cone is than what was asked for, so that the heap is not \[rad\]; and
    /// its members when that was last looked at.
    pub(crate) lean: f64,
    pub(crate) seen: f64,
    /// Whether all its members slept in the last frame, or all but the last few of one that is
    /// tried or comes down.
    pub(crate) rested: bool,
    /// Its members when it last stood by itself, all of them awake.
    pub(crate) proven: f64,
    /// Whether its cone was made flatter since, or bodies have begun to grip firmly.
    pub(crate) is_shaken: bool,
    /// The trial that goes on, by which it proves that it stands.
    pub(crate) trial: Option<PileTrial>,
    /// How soon it stops bodies that slide off, since it is flatter than asked: from 0 to 1.
    pub(crate) firmness: f64,
    /// The angle of its side when it was made flatter last; a right angle if it was not since it
    /// grew \[rad\].
    pub(crate) steep: f64,
}

impl Pile {
    /// The tangent of the angle of its cone.
    fn slope(&self, settings: &PileSettings) -> f64 {
        (settings.angle + self.lean.min(aim::MOST_STEEPER)).max(aim::FLATTEST * settings.angle).tan()
    }

    pub(crate) fn new(kind: usize, centre: DVec2) -> Self {
        Self {
            kind: kind as u32,
            centre,
            radius: 0.0,
            whole: 0.0,
            layers: Vec::new(),
            lean: 0.0,
            seen: 0.0,
            rested: false,
            proven: 0.0,
            is_shaken: false,
            trial: None,
            firmness: 0.0,
            steep: std::f64::consts::FRAC_PI_2,
        }
    }
}

/// The memory of all piles.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PilesState {
    /// Side of the squares of the plan \[m\], the mean diameter of the bodies that had landed when
    /// they were last counted; zero before.
    side: f64,
    /// The number of bodies then.
    counted: f64,
    piles: Vec<Pile>,
    /// The memory of bodies, by the slots of their ids.
    memory: Vec<LandedMemory>,
}

/// All piles, and what they are to be.
#[derive(Clone, Debug)]
pub(crate) struct Piles {
    kinds: Vec<PileSettings>,
    state: PilesState,
    grounds: Vec<Ground>,
    /// In which layer of its pile a body was in the last frame; not part of the state.
    layered: Vec<(BodyId, u16)>,
}

/// The members and the ground of a pile in one frame.
struct Share {
    /// Its members, in the order of their ids.
    members: Vec<SeenBody>,
    /// Squares of the plan, row by row.
    squares: Vec<IVec2>,
}

/// The inputs of a rule about a pile in one frame.
struct Site<'a> {
    settings: &'a PileSettings,
    /// Its members, in the order of their ids.
    members: &'a [SeenBody],
    heap: &'a Heap,
    /// The same without members that move: they hop or fly.
    lying: &'a Heap,
    ground: &'a Ground,
    /// Mean length and diameter of its members \[m\].
    length: f64,
    diameter: f64,
    gravity: f64,
    dt: f64,
}

impl Site<'_> {
    /// The angle of the side of its heap \[rad\]; zero if it has none.
    fn angle(&self) -> f64 {
        self.lying.slope().map_or(0.0, f64::atan)
    }
}

impl Piles {
    pub(crate) fn new(kinds: Vec<PileSettings>) -> Self {
        let placed = |(kind, settings): (usize, &PileSettings)| Some(Pile::new(kind, settings.place?));
        let piles = kinds.iter().enumerate().filter_map(placed).collect();
        Self { state: PilesState { piles, ..PilesState::default() }, kinds, grounds: Vec::new(), layered: Vec::new() }
    }

    /// Piles that there are: those whose place was given, and those found so far.
    pub(crate) fn piles(&self) -> &[Pile] {
        &self.state.piles
    }

    /// Whether all piles lie asleep and have proven that they stand. The paper's rules prove
    /// nothing.
    pub(crate) fn are_done(&self) -> bool {
        let rests = |pile: &Pile| pile.rested && pile.trial.is_none() && !pile.is_shaken;
        let is_ours = |pile: &&Pile| self.kinds[pile.kind as usize].rule == Rule::Shells && pile.whole > 0.0;
        self.state.piles.iter().filter(is_ours).all(rests)
    }

    /// Shows the layers of piles, and in which of them bodies were when they were directed.
    pub(crate) fn show(&self, frame: &mut Frame) {
        for (number, pile) in self.state.piles.iter().enumerate() {
            let base = self.kinds[pile.kind as usize].base;
            frame.layers.extend(pile.layers.iter().map(|layer| FrameLayer {
                pile: number as u32,
                centre: pile.centre.extend(base + layer.bottom).as_vec3().to_array(),
                radius: layer.radius as f32,
                height: layer.thickness as f32,
                density: layer.density as f32,
            }));
        }
        for &(id, layer) in &self.layered {
            if let Ok(index) = frame.bodies.binary_search_by_key(&id, |body| body.id) {
                frame.bodies[index].layer = Some(layer);
            }
        }
    }

    /// Directs bodies after a frame.
    pub(crate) fn direct(&mut self, stage: &mut Stagehand<'_>) -> Result<(), WorldProblem> {
        self.layered.clear();
        if self.kinds.is_empty() {
            return Ok(());
        }
        // Bodies that have landed belong to a pile.
        let mut landed = landed::gather(&mut self.state.memory, stage);
        landed.retain(|body| self.kinds.iter().any(|kind| kind.takes(body.shape)));
        if landed.is_empty() {
            return Ok(());
        }
        let count = landed.len() as f64;
        if count >= RECOUNT * self.state.counted {
            (self.state.side, self.state.counted) = (mean(&landed, |body| body.diameter), count);
        }
        find::found(&mut self.state, &self.kinds, &landed);
        find::merge(&mut self.state.piles, &self.kinds);
        self.look_around(stage.obstacles());

        let (dt, gravity) = (stage.frame_length(), stage.gravity().length());
        let (shares, others) = self.share(&landed);
        let is_awake = |body: &SeenBody| !body.rest.asleep;
        let bearings = if landed.iter().any(is_awake) { stage.bearings() } else { Vec::new() };
        let (side, PilesState { piles, memory, .. }) = (self.state.side, &mut self.state);
        for body in others {
            memory[body.id.index as usize].grip = Grip::Usual as u32;
            stage.set_grip(body.id, Grip::Usual)?;
        }
        for (number, Share { members, squares }) in shares.iter().enumerate() {
            if members.is_empty() {
                continue;
            }
            // Its axis, and how high it stands around that.
            let (pile, ground) = (&mut piles[number], &self.grounds[number]);
            let settings = &self.kinds[pile.kind as usize];
            pile.follow(settings, members, dt);
            let places = members.iter().map(|body| body.centre);
            let heap = Heap::new(places, squares, pile.centre, side, settings.base);

            // How steep it is, who slides on, and who falls asleep.
            let (length, diameter) = (2.0 * mean(members, |body| body.radius), mean(members, |body| body.diameter));
            let is_slow = |body: &&SeenBody| body.motion.velocity.length() < settings.slow * (gravity * length).sqrt();
            let slow = members.iter().filter(is_slow).map(|body| body.centre);
            let lying = Heap::new(slow, squares, pile.centre, side, settings.base);
            let site = Site { settings, members, heap: &heap, lying: &lying, ground, length, diameter, gravity, dt };
            let layers = match settings.rule {
                Rule::Shells => shells::direct(pile, &site, &bearings, stage, memory)?,
                Rule::Layers | Rule::LocalLayers => layers::direct(pile, &site, stage, memory)?,
            };
            let in_layer = |(body, layer): (&SeenBody, Option<usize>)| Some((body.id, layer? as u16));
            self.layered.extend(members.iter().zip(layers).filter_map(in_layer));
        }
        Ok(())
    }

    /// Finds out where piles can be: around their axes, between walls.
    fn look_around(&mut self, obstacles: &[Obstacle]) {
        let side = self.state.side;
        self.grounds.resize_with(self.state.piles.len(), Ground::default);
        for (pile, ground) in self.state.piles.iter().zip(&mut self.grounds) {
            let settings = &self.kinds[pile.kind as usize];
            let reach = AROUND * pile.whole.max(pile.radius) + BEYOND * side;
            ground.look(obstacles, pile.centre, side, reach, settings.base);
        }
    }

    /// Assigns bodies and ground to piles: to the one whose cone is the highest there, of those
    /// around. Gives the bodies too that are part of none.
    fn share(&self, landed: &[SeenBody]) -> (Vec<Share>, Vec<SeenBody>) {
        let side = self.state.side;
        let slope = |pile: &Pile| pile.slope(&self.kinds[pile.kind as usize]);
        let slopes: Vec<f64> = self.state.piles.iter().map(slope).collect();
        let height = |number: usize, place: DVec2| {
            let pile = &self.state.piles[number];
            self.kinds[pile.kind as usize].base + slopes[number] * (pile.whole - pile.centre.distance(place))
        };
        let takes = |number: usize, shape: ShapeId| self.kinds[self.state.piles[number].kind as usize].takes(shape);
        let owner = |square: IVec2, shape: Option<ShapeId>| {
            let place = side * (square.as_dvec2() + 0.5);
            let is_open = |&number: &usize| self.grounds[number].holds(square);
            let has_it = |&number: &usize| shape.is_none_or(|shape| takes(number, shape));
            let mut around = (0..self.grounds.len()).filter(is_open).filter(has_it);
            let first = around.next()?;
            let higher = |(a, of_a), b| {
                let of_b = height(b, place);
                if of_b > of_a { (b, of_b) } else { (a, of_a) }
            };
            Some(around.next().map_or(first, |second| {
                let more = std::iter::once(second).chain(around);
                more.fold((first, height(first, place)), higher).0
            }))
        };
        let squares_of = |(number, ground): (usize, &Ground)| {
            ground.squares().filter(|square| owner(*square, None) == Some(number)).collect()
        };
        let squares = self.grounds.iter().enumerate().map(squares_of);
        let mut shares: Vec<Share> = squares.map(|squares| Share { members: Vec::new(), squares }).collect();
        let mut others = Vec::new();
        for &body in landed {
            let square = square_at(body.centre.truncate(), side);
            owner(square, Some(body.shape)).map_or(&mut others, |owner| &mut shares[owner].members).push(body);
        }
        (shares, others)
    }
}

impl Pile {
    /// Lets an axis whose place was not given follow the middle of its members; not of those who
    /// may make a pile of their own.
    fn follow(&mut self, settings: &PileSettings, members: &[SeenBody], dt: f64) {
        if settings.place.is_some() {
            return;
        }
        let reach = find::reach(self, 2.0 * mean(members, |body| body.radius));
        let places = members.iter().map(|body| body.centre.truncate());
        let near: Vec<DVec2> = places.filter(|place| place.distance(self.centre) <= reach).collect();
        if !near.is_empty() {
            let middle = near.iter().sum::<DVec2>() / near.len() as f64;
            self.centre = self.centre.lerp(middle, (dt / FOLLOWING).min(1.0));
        }
    }
}

/// Wakes bodies; they have to be slow again for a while before they may sleep.
fn let_go<'a>(
    bodies: impl IntoIterator<Item = &'a SeenBody>,
    stage: &mut Stagehand<'_>,
    memory: &mut [LandedMemory],
) -> Result<(), WorldProblem> {
    for body in bodies {
        stage.wake(body.id)?;
        let memory = &mut memory[body.id.index as usize];
        (memory.slow, memory.still, memory.stuck) = (0.0, 0.0, 0.0);
    }
    Ok(())
}

fn mean(bodies: &[SeenBody], of: impl Fn(&SeenBody) -> f64) -> f64 {
    bodies.iter().map(of).sum::<f64>() / bodies.len() as f64
}
