//! Extent of the motion in a recording: the points that a camera has to see, and the space whose
//! contents cast shadows into the picture.
//!
//! Particles are not read: they stay near the grains that they follow, whose positions and speeds
//! represent theirs. So the camera is the same whether particles or grains are drawn, and a
//! recording with gigabytes of particles opens as quickly.

use glam::Vec3;
use tumble::Frame;
use tumble_io::{Header, ObstacleLook, Recording, SurfaceInfo};

use crate::camera::corners;
use crate::drawing::{CommonMeshes, quat};
use crate::mesh::DrawnMesh;

/// Number of frames that are read, spread evenly; more would not change the view.
const FRAMES: usize = 24;

/// Greatest number of bodies that are looked at per frame.
const BODIES: usize = 20_000;

/// Greatest number of bodies that the camera is fitted to.
const POINTS: usize = 20_000;

/// The space in which a recording takes place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MotionExtent {
    /// Points that a camera should see: around bodies all over the motion, and corners of obstacles
    /// \[m\].
    pub(crate) points: Vec<Vec3>,
    /// Corners of the box that holds the bodies, but for a few strays, and the finite obstacles
    /// \[m\].
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
    /// Corners of the box whose contents cast shadows: with the strays, up to a limit \[m\].
    pub(crate) shadow_low: Vec3,
    pub(crate) shadow_high: Vec3,
    /// Speed that one body in fifty exceeds \[m/s\].
    pub(crate) fastest: f32,
}

/// Share of the bodies that may be left out at each side of the picture.
const STRAYS: f32 = 0.015;

impl MotionExtent {
    /// Reads some frames of a recording.
    pub(crate) fn of(recording: &mut Recording, meshes: &[DrawnMesh]) -> Self {
        let (mut radius, mut centres, mut speeds) = (0f32, Vec::<Vec3>::new(), Vec::new());
        let mut obstacles: Option<(Vec3, Vec3)> = None;
        let reaches = reaches(recording.header(), meshes);
        let count = recording.frames().len();
        let mut frame = Frame::default();
        let wanted: Vec<usize> =
            (0..FRAMES.min(count)).map(|k| k * (count - 1) / (FRAMES.min(count) - 1).max(1)).collect();
        for index in wanted {
            // A frame that cannot be read is skipped here; drawing it reports the error.
            if recording.read(index, &mut frame).is_err() {
                continue;
            }
            for body in frame.bodies.iter().step_by(frame.bodies.len() / BODIES + 1) {
                let position = Vec3::from(body.position);
                let reach = body.size * reaches[body.shape.index()];
                if position.is_finite() && reach.is_finite() {
                    radius = radius.max(reach);
                    speeds.push(Vec3::from(body.velocity).length());
                    centres.push(position);
                }
            }
            for (low, high) in obstacle_boxes(recording.header(), meshes, &frame) {
                let (l, h) = obstacles.get_or_insert((low, high));
                (*l, *h) = (l.min(low), h.max(high));
            }
        }

        let at = |values: &mut Vec<f32>, share: f32| {
            let index = (share * (values.len() - 1) as f32).round() as usize;
            *values.select_nth_unstable_by(index, f32::total_cmp).1
        };
        let (mut low, mut high, mut all_low, mut all_high) = (Vec3::ZERO, Vec3::ONE, Vec3::ZERO, Vec3::ONE);
        if speeds.is_empty() {
            (low, high) = obstacles.unwrap_or((low, high));
            (all_low, all_high) = (low, high);
        } else {
            for axis in 0..3 {
                let mut places: Vec<f32> = centres.iter().map(|centre| centre[axis]).collect();
                let mut at = |share: f32| at(&mut places, share);
                (low[axis], high[axis]) = (at(STRAYS) - radius, at(1.0 - STRAYS) + radius);
                (all_low[axis], all_high[axis]) = (at(0.0) - radius, at(1.0) + radius);
            }
            if let Some((l, h)) = obstacles {
                (low, high) = (low.min(l), high.max(h));
            }
        }
        let fastest = if speeds.is_empty() { 1.0 } else { at(&mut speeds, 0.98).max(1e-6) };
        // The shadow maps must not lose their resolution to a single stray.
        let most = 0.5 * (high - low).length();
        let shadow_low = low.min(all_low).max(low - most);
        let shadow_high = high.max(all_high).min(high + most);
        let inside = |point: &Vec3| point.cmpge(low).all() && point.cmple(high).all();
        let step = centres.len() / POINTS + 1;
        let around = centres.into_iter().step_by(step).filter(inside).flat_map(|centre| {
            [Vec3::X, Vec3::Y, Vec3::Z]
                .into_iter()
                .flat_map(move |axis| [centre + radius * axis, centre - radius * axis])
        });
        let points = around.chain(obstacles.into_iter().flat_map(|(low, high)| corners(low, high))).collect();
        Self { points, low, high, shadow_low, shadow_high, fastest }
    }
}

/// Radius of the sphere that holds each shape at size one.
fn reaches(header: &Header, meshes: &[DrawnMesh]) -> Vec<f32> {
    let of_mesh = |mesh: Option<u32>| mesh.map_or(0.0, |mesh| meshes[(CommonMeshes::OWN + mesh) as usize].reach);
    header.shapes.iter().map(|shape| (shape.reach() as f32).max(of_mesh(shape.mesh))).collect()
}

/// Bounding boxes of the finite obstacles that are drawn.
fn obstacle_boxes(header: &Header, meshes: &[DrawnMesh], frame: &Frame) -> Vec<(Vec3, Vec3)> {
    let mut boxes = Vec::new();
    for (info, pose) in header.obstacles.iter().zip(&frame.obstacles) {
        let (mesh, size) = match info.surface {
            _ if info.look == ObstacleLook::Hidden => continue,
            SurfaceInfo::Plane => continue,
            SurfaceInfo::Box(half) => (CommonMeshes::CUBE, Vec3::from(half.map(|x| x as f32))),
            SurfaceInfo::Mesh(mesh) => (CommonMeshes::OWN + mesh, Vec3::ONE),
        };
        let (turn, position) = (quat(pose.orientation), Vec3::from(pose.position));
        let places = meshes[mesh as usize].vertices.iter().map(|&vertex| turn * (size * vertex) + position);
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = places.fold(start, |(low, high), place| (low.min(place), high.max(place)));
        // An obstacle without finite position, or without vertices, is left out.
        if low.is_finite() && high.is_finite() {
            boxes.push((low, high));
        }
    }
    boxes
}
