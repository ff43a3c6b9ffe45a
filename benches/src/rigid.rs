//! Runs a scene of the rigid peers and writes the result file that their driver reads.
//!
//! `rigid-peer SCENE OUT [--sleep 0|1] [--threads N] [--cap SECONDS] [--substeps N]`; the driver
//! calls it by `--extra tumble=PATH`. Scenes have y up; the engine takes any direction of gravity.

use std::fmt::Write as _;
use std::str::SplitAsciiWhitespace;
use std::time::Instant;

use glam::{DQuat, DVec3};
use tumble::geometry::{Convex, ConvexPart, Hull, Surface};
use tumble::rigid::Rigid;
use tumble::world::{
    BodyId, Material, MaterialId, Materials, Motion, NewBody, Obstacle, Path, Pose, Shape, ShapeId, World,
};
use tumble::{Setup, Simulation, Stage, Stopwatch};

fn main() {
    // On a thread of the pool: from outside, every step would have to wake one and wait for it.
    let threads =
        std::env::args().skip_while(|word| word != "--threads").nth(1).map_or(1, |n| n.parse().expect("a count"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    pool.install(|| run(threads));
}

fn run(threads: usize) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, out, options @ ..] = arguments.as_slice() else {
        eprintln!("usage: rigid-peer SCENE OUT [--sleep 0|1] [--threads N] [--cap SECONDS] [--substeps N]");
        std::process::exit(2);
    };
    let option = |name: &str, default: f64| {
        let at = options.iter().position(|word| word == name);
        at.map_or(default, |at| options[at + 1].parse().expect("options have numbers"))
    };
    let (sleep, cap) = (option("--sleep", 1.0), option("--cap", 600.0));
    let text = std::fs::read_to_string(file).expect("the scene can be read");
    let mut scene = PeerScene::read(&text);
    let settings =
        Rigid { substeps: option("--substeps", f64::from(Rigid::DEFAULT.substeps)) as u32, sleeping: sleep != 0.0 };
    let mut ids: Vec<BodyId> = Vec::new();
    while let Some((_, new)) = scene.bodies.get(ids.len()).filter(|(born, _)| *born == 0) {
        ids.push(scene.world.add_centred(*new).expect("a body"));
    }
    let setup = Setup { step: Some(scene.dt), fps: 1.0 / scene.dt, ..Setup::new(scene.world, settings) };
    let mut simulation = Simulation::new(setup).expect("the scene can start");
    let mut watch = Stopwatch::new(seconds);
    let begin = Instant::now();
    let (mut times, mut fastest): (Vec<f64>, f64) = (Vec::new(), 0.0);
    for frame in 0..scene.frames {
        while let Some((_, new)) = scene.bodies.get(ids.len()).filter(|(born, _)| *born <= frame) {
            ids.push(simulation.add(*new).expect("a body"));
        }
        // The measures of a frame are no part of a step.
        let stepping = |watch: &Stopwatch| -> f64 {
            let stages = Stage::ALL.iter().zip(watch.seconds).filter(|(stage, _)| **stage != Stage::Measure);
            stages.map(|(_, seconds)| seconds).sum()
        };
        let before = stepping(&watch);
        simulation.advance_timed(&mut watch);
        times.push(1e3 * (stepping(&watch) - before));
        let motions = &simulation.world().bodies.motion;
        fastest = motions.iter().map(|motion| motion.velocity.length()).fold(fastest, f64::max);
        if begin.elapsed().as_secs_f64() > cap {
            break;
        }
    }

    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len() as f64;
    let (total, worst) = (times.iter().sum::<f64>() / 1e3, times.iter().copied().fold(0.0, f64::max));
    let tail = mean(&times[times.len() - times.len().div_ceil(10)..]);
    let timed = format!("{:.4} mean_ms {:.4} max_ms {worst:.4} last10_ms {tail:.4}", total, mean(&times));
    let cpu =
        timed.replace("mean_ms", "cpu_mean_ms").replace("max_ms", "cpu_max_ms").replace("last10_ms", "cpu_last10_ms");
    let mut text = format!(
        "engine tumble scene {} sleep {sleep} threads {threads} frames {} of {} total_s {timed} cpu_total_s {cpu} vmax {fastest:.4} note -\n",
        scene.name,
        times.len(),
        scene.frames,
    );
    let bodies = &simulation.world().bodies;
    for id in ids {
        let row = bodies.row(id).expect("nobody leaves");
        let (Pose { position: p, orientation: q }, Motion { velocity: v, spin: w }) =
            (bodies.pose[row], bodies.motion[row]);
        let numbers = [p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z].map(|n| format!("{n:.7}"));
        writeln!(text, "{} {}", numbers.join(" "), u8::from(bodies.rest[row].asleep))
            .expect("a string takes everything");
    }
    std::fs::write(out, text).expect("the result can be written");
    let stages: Vec<String> = (Stage::ALL.iter().zip(watch.seconds))
        .filter(|(_, seconds)| *seconds > 0.0)
        .map(|(stage, seconds)| format!("{} {:.3}", stage.name(), 1e3 * seconds / times.len() as f64))
        .collect();
    println!(
        "mean {:.3} ms, worst {worst:.2}, last tenth {tail:.3}; {}; {} points",
        mean(&times),
        stages.join(", "),
        simulation.measure().contacts
    );
}

fn seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A scene of the peers.
struct PeerScene {
    name: String,
    dt: f64,
    frames: usize,
    world: World,
    /// When bodies appear, and as what.
    bodies: Vec<(usize, NewBody)>,
}

/// Words of a scene file, one after the other.
struct Words<'a>(SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> &'a str {
        self.0.next().expect("the file goes on")
    }

    fn number(&mut self) -> f64 {
        self.word().parse().expect("a number")
    }

    fn count(&mut self) -> usize {
        self.word().parse().expect("a count")
    }

    fn named(&mut self, name: &str) -> f64 {
        assert_eq!(self.word(), name);
        self.number()
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn quaternion(&mut self) -> DQuat {
        DQuat::from_xyzw(self.number(), self.number(), self.number(), self.number()).normalize()
    }

    fn pose(&mut self) -> Pose {
        Pose { position: self.vector(), orientation: self.quaternion() }
    }

    fn part(&mut self) -> ConvexPart {
        // Capsules and cylinders of the file stand along y, ours along z.
        let along_y =
            |pose: Pose| Pose { orientation: pose.orientation * DQuat::from_rotation_arc(DVec3::Z, DVec3::Y), ..pose };
        match self.word() {
            "box" => ConvexPart { convex: Convex::Box(self.vector()), pose: self.pose() },
            "sphere" => {
                let convex = Convex::Ball(self.number());
                ConvexPart { convex, pose: Pose { position: self.vector(), ..Pose::IDENTITY } }
            }
            "capsule" => {
                let (radius, half) = (self.number(), self.number());
                ConvexPart { convex: Convex::Capsule { radius, half }, pose: along_y(self.pose()) }
            }
            "cylinder" => {
                let (radius, half) = (self.number(), self.number());
                ConvexPart { convex: Convex::Cylinder { radius, half }, pose: along_y(self.pose()) }
            }
            "hull" => {
                let points: Vec<DVec3> = (0..self.count()).map(|_| self.vector()).collect();
                let hull = Hull::new(&points).expect("points span a volume");
                ConvexPart { convex: Convex::Hull(Box::new(hull)), pose: Pose::IDENTITY }
            }
            other => panic!("unknown part {other}"),
        }
    }
}

impl PeerScene {
    fn read(text: &str) -> Self {
        let mut words = Words(text.split_ascii_whitespace());
        assert_eq!(words.word(), "scene");
        let name = words.word().to_string();
        let (dt, frames) = (words.named("dt"), words.named("frames") as usize);
        assert_eq!(words.word(), "gravity");
        let gravity = words.vector();
        let (friction, restitution, plane) =
            (words.named("friction"), words.named("restitution"), words.named("plane"));
        let material =
            |density: f64| Material { density, friction, restitution, rolling_friction: 0.0, ..Material::default() };
        let mut materials = vec![material(1000.0)];
        let mut shapes = Vec::new();
        for k in 0..words.named("shapes") as usize {
            assert_eq!(words.word(), "shape");
            let (density, mass, moments) = (words.number(), words.number(), words.vector());
            let parts: Vec<ConvexPart> = (0..words.count()).map(|_| words.part()).collect();
            materials.push(material(density));
            // The mass is the peer's, and the axes of its parts are those of the body.
            let mut shape = Shape::of_parts(&format!("shape {k}"), parts.clone()).expect("parts have a volume");
            shape.bounding_radius = parts.iter().map(ConvexPart::reach).fold(0.0, f64::max);
            shape.parts = parts;
            shape.volume = mass / density;
            shape.diameter = (6.0 / std::f64::consts::PI * mass / density).cbrt();
            shape.moments = moments / density;
            (shape.axes, shape.centre, shape.mesh) = (DQuat::IDENTITY, DVec3::ZERO, None);
            shapes.push(shape);
        }
        let up = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
        let floor = Pose { position: DVec3::new(0.0, plane, 0.0), orientation: up };
        let mut obstacles = vec![Obstacle::new("floor", MaterialId(0), Surface::Plane, Path::Fixed(floor))];
        for _ in 0..words.named("statics") as usize {
            let shape: &Shape = &shapes[words.count()];
            let surface = Surface::Box(DVec3::splat(shape.bounding_radius));
            let parts = shape.parts.clone();
            obstacles
                .push(Obstacle { parts, ..Obstacle::new("static", MaterialId(0), surface, Path::Fixed(words.pose())) });
        }
        let bodies = (0..words.named("bodies") as usize).map(|_| {
            let (shape, frame) = (words.count(), words.count());
            let pose = words.pose();
            let motion = Motion { velocity: words.vector(), spin: words.vector() };
            (
                frame,
                NewBody {
                    shape: ShapeId(shape as u32),
                    material: MaterialId(shape as u32 + 1),
                    size: 1.0,
                    pose,
                    motion,
                },
            )
        });
        let bodies = bodies.collect();
        let world = World { shapes, materials: Materials::new(materials), obstacles, gravity, ..World::default() };
        Self { name, dt, frames, world, bodies }
    }
}
