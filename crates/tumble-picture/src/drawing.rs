//! A frame as lists of things to draw: balls, meshes and translucent overlays with colours, and the
//! ground.
//!
//! Reads a [`Frame`], its particles and the shapes in the recording's header. Of the camera it uses
//! only the position, because a wall is left out when the camera looks at it from inside. It knows
//! nothing of light.

use glam::{Mat3, Quat, Vec3};
use rayon::prelude::*;
use tumble::{Frame, FrameBody, FrameParticle, FramePose};
use tumble_io::{Header, ObstacleLook, SurfaceInfo};

use crate::cluster::{self, BallCluster};
use crate::colour;
use crate::mesh::DrawnMesh;
use crate::render::View;

/// Structures of a director that are drawn over the bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Layers of piles, as translucent cylinders.
    pub layers: bool,
    /// Meshes whose shape a pile has to hold, translucent.
    pub guides: bool,
    /// Constraints, as rods.
    pub constraints: bool,
}

/// A sphere in the world \[m\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct DrawnBall {
    pub(crate) centre: Vec3,
    pub(crate) radius: f32,
    /// Index into [`Drawing::colours`].
    pub(crate) colour: u32,
}

/// A mesh at a pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    /// Index into [`Drawing::meshes`].
    pub(crate) mesh: u32,
    /// From the mesh's axes to the world's, with its size.
    pub(crate) turn: Mat3,
    pub(crate) position: Vec3,
    /// Index into [`Drawing::colours`].
    pub(crate) colour: u32,
    /// Whether it casts a shadow.
    pub(crate) casts_shadow: bool,
    /// Opacity, from 0 to 1; 1 hides everything behind it.
    pub(crate) opacity: f32,
}

impl Solid {
    /// Largest scale factor over the three axes of its mesh.
    pub(crate) fn size(&self) -> f32 {
        let [x, y, z] = [self.turn.x_axis, self.turn.y_axis, self.turn.z_axis].map(|axis| axis.length_squared());
        x.max(y).max(z).sqrt()
    }
}

/// Everything that is drawn of a frame.
#[derive(Debug, Default)]
pub(crate) struct Drawing<'m> {
    pub(crate) meshes: &'m [DrawnMesh],
    pub(crate) balls: Vec<DrawnBall>,
    /// Clusters of all balls, by position.
    pub(crate) clusters: Vec<BallCluster>,
    pub(crate) solids: Vec<Solid>,
    /// Translucent solids, in any order.
    pub(crate) glass: Vec<Solid>,
    pub(crate) colours: Vec<Vec3>,
    /// Height of the floor \[m\] and its colour if it has one of its own; none if there is no
    /// floor.
    pub(crate) ground: Option<(f32, Option<Vec3>)>,
}

/// The meshes that every drawing has, before those of the recording.
pub(crate) struct CommonMeshes;

impl CommonMeshes {
    const SQUARE: u32 = 0;
    const CYLINDER: u32 = 1;
    pub(crate) const CUBE: u32 = 2;
    /// Number of the recording's first mesh.
    pub(crate) const OWN: u32 = 3;

    /// The common meshes and those of a recording.
    pub(crate) fn with(meshes: impl Iterator<Item = DrawnMesh>) -> Vec<DrawnMesh> {
        let common = [DrawnMesh::square(), DrawnMesh::cylinder(48), DrawnMesh::cuboid(Vec3::ONE)];
        common.into_iter().chain(meshes).collect()
    }
}

impl<'m> Drawing<'m> {
    /// Collects what the view shows of a frame. Planes are drawn up to `reach` from `middle` \[m\].
    pub(crate) fn new(
        frame: &Frame,
        particles: &[FrameParticle],
        header: &Header,
        meshes: &'m [DrawnMesh],
        view: &View,
        (middle, reach): (Vec3, f32),
    ) -> Self {
        let View { colouring, overlays, .. } = view;
        let particles = if view.grains { &[] } else { particles };
        // Where there are particles, the bodies that they stand for would only hide them.
        let replaced: &[u32] = match &header.detail {
            Some(detail) if !particles.is_empty() => &detail.carriers,
            _ => &[],
        };
        let bodies = || frame.bodies.par_iter().enumerate().filter(|(_, body)| !replaced.contains(&body.shape.0));

        let mut drawing = Self { meshes, ..Self::default() };
        drawing.colours = frame.bodies.par_iter().map(|body| colouring.of(body, header)).collect();
        drawing.balls = bodies().flat_map_iter(|(index, body)| balls(body, index as u32, header)).collect();
        drawing.solids = bodies().filter_map(|(index, body)| solid(body, index as u32, header)).collect();
        let first = drawing.colours.len() as u32;
        let ball = |(particle, colour): (&FrameParticle, u32)| DrawnBall {
            centre: Vec3::from(particle.position),
            radius: particle.radius,
            colour,
        };
        drawing.colours.par_extend(particles.par_iter().map(|particle| colouring.of_particle(particle, header)));
        drawing.balls.par_extend(particles.par_iter().zip(first..first + particles.len() as u32).map(ball));
        drawing.add_obstacles(frame, header, view.camera.position, (middle, reach));
        if overlays.layers {
            drawing.add_layers(frame);
        }
        if overlays.guides {
            for &mesh in &header.guides {
                let guide =
                    Solid { opacity: 0.25, ..drawing.solid_of(CommonMeshes::OWN + mesh, Vec3::new(0.35, 0.55, 0.9)) };
                drawing.glass.push(guide);
            }
        }
        if overlays.constraints {
            drawing.add_constraints(frame);
        }
        drawing.clusters = cluster::gather(&mut drawing.balls);
        drawing
    }

    /// A mesh as it is, in a new colour.
    fn solid_of(&mut self, mesh: u32, colour: Vec3) -> Solid {
        self.colours.push(colour);
        let colour = self.colours.len() as u32 - 1;
        Solid { mesh, turn: Mat3::IDENTITY, position: Vec3::ZERO, colour, casts_shadow: true, opacity: 1.0 }
    }

    fn add_obstacles(&mut self, frame: &Frame, header: &Header, eye: Vec3, (middle, reach): (Vec3, f32)) {
        for (info, pose) in header.obstacles.iter().zip(&frame.obstacles) {
            let (position, turn) = place(pose);
            let colour = colour::of_obstacle(info);
            let solid = match info.surface {
                SurfaceInfo::Plane => {
                    let normal = turn * Vec3::Z;
                    // A level floor is the ground; of several, only the highest is visible.
                    if normal.z > 0.999_999 && info.look == ObstacleLook::Solid {
                        if self.ground.is_none_or(|(height, _)| position.z > height) {
                            self.ground = Some((position.z, info.colour.map(colour::from_bytes)));
                        }
                        continue;
                    }
                    // A wall that the camera sees from behind is left out, so that it does not hide
                    // the bodies.
                    if normal.dot(eye - position) < 0.0 {
                        continue;
                    }
                    // A wall is drawn as a square about the foot of `middle`, as far as there are
                    // bodies before it.
                    let foot = middle - normal * normal.dot(middle - position);
                    let plane = self.solid_of(CommonMeshes::SQUARE, colour);
                    Solid { turn: Mat3::from_quat(turn) * reach, position: foot, casts_shadow: false, ..plane }
                }
                SurfaceInfo::Box(half) => {
                    let half = Vec3::from(half.map(|length| length as f32));
                    let cube = self.solid_of(CommonMeshes::CUBE, colour);
                    Solid { turn: Mat3::from_quat(turn) * Mat3::from_diagonal(half), position, ..cube }
                }
                SurfaceInfo::Mesh(mesh) => {
                    Solid { turn: Mat3::from_quat(turn), position, ..self.solid_of(CommonMeshes::OWN + mesh, colour) }
                }
            };
            match info.look {
                ObstacleLook::Solid => self.solids.push(solid),
                ObstacleLook::Glass => self.glass.push(Solid { opacity: 0.14, ..solid }),
                ObstacleLook::Hidden => {}
            }
        }
    }

    fn add_layers(&mut self, frame: &Frame) {
        let mut number = 0u16;
        for (k, layer) in frame.layers.iter().enumerate() {
            // Layers are counted from the bottom of each pile.
            number = if k > 0 && frame.layers[k - 1].pile == layer.pile { number.wrapping_add(1) } else { 0 };
            let turn = Mat3::from_diagonal(Vec3::new(layer.radius, layer.radius, layer.height));
            let solid = self.solid_of(CommonMeshes::CYLINDER, colour::layer(number));
            // A fuller layer is a denser colour.
            let opacity = 0.12 + 0.3 * layer.density.clamp(0.0, 1.0);
            self.glass.push(Solid { turn, position: Vec3::from(layer.centre), opacity, ..solid });
        }
    }

    fn add_constraints(&mut self, frame: &Frame) {
        // A rod is thin beside the bodies that it holds; a long one has a thickness of 2 % of its
        // length.
        let size = self.balls.first().map_or(0.0, |ball| ball.radius);
        for constraint in &frame.constraints {
            let (from, to) = (Vec3::from(constraint.from), Vec3::from(constraint.to));
            let length = from.distance(to);
            let thickness = (0.15 * size).max(0.02 * length).max(1e-6);
            let along = (to - from).normalize_or(Vec3::Z);
            let turn = Mat3::from_quat(Quat::from_rotation_arc(Vec3::Z, along));
            let turn = turn * Mat3::from_diagonal(Vec3::new(thickness, thickness, length.max(thickness)));
            let rod = self.solid_of(CommonMeshes::CYLINDER, colour::held(true));
            self.solids.push(Solid { turn, position: from, ..rod });
        }
    }
}

/// The spheres of a body whose shape is drawn as spheres.
fn balls(body: &FrameBody, index: u32, header: &Header) -> impl Iterator<Item = DrawnBall> {
    let shape = &header.shapes[body.shape.index()];
    let turn = quat(body.orientation);
    let (position, size) = (Vec3::from(body.position), body.size);
    let spheres: &[[f64; 4]] = if shape.mesh.is_some() { &[] } else { &shape.spheres };
    spheres.iter().map(move |&[x, y, z, radius]| {
        let offset = Vec3::new(x as f32, y as f32, z as f32);
        DrawnBall { centre: position + size * (turn * offset), radius: size * radius as f32, colour: index }
    })
}

/// The mesh of a body whose shape is drawn as a mesh.
fn solid(body: &FrameBody, index: u32, header: &Header) -> Option<Solid> {
    let mesh = header.shapes[body.shape.index()].mesh?;
    let turn = Mat3::from_quat(quat(body.orientation)) * body.size;
    let position = Vec3::from(body.position);
    Some(Solid { mesh: CommonMeshes::OWN + mesh, turn, position, colour: index, casts_shadow: true, opacity: 1.0 })
}

fn place(pose: &FramePose) -> (Vec3, Quat) {
    (Vec3::from(pose.position), quat(pose.orientation))
}

/// A rotation from w, x, y, z; the identity if these are not finite or all near zero.
pub(crate) fn quat([w, x, y, z]: [f32; 4]) -> Quat {
    let turn = Quat::from_xyzw(x, y, z, w);
    if turn.is_finite() && turn.length_squared() > 1e-12 { turn.normalize() } else { Quat::IDENTITY }
}
