//! The balls by which the bodies of a recording are measured: their spheres, and one ball for each
//! solid, which has none.
//!
//! Reads the shapes of a header and their meshes. The ball that stands for a solid sits in its
//! centre of mass and has the volume of the box around it: about so far apart are bodies that are
//! branched or hollow, and where the ball is smaller, a heap of them looks full of holes. It says
//! nothing about contacts, so overlaps and packing are asked of true spheres only.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use tumble::Frame;
use tumble::measure::{Ball, balls};
use tumble_io::{Header, IoError, MeshData, Recording, ShapeInfo};

/// All shapes of a recording.
#[derive(Clone, Debug)]
pub struct Forms {
    /// Spheres as x, y, z, radius \[m\] in the body's axes; for a solid the ball that stands for
    /// it.
    spheres: Vec<Vec<[f64; 4]>>,
    /// The same without those that only stand for a solid.
    true_spheres: Vec<Vec<[f64; 4]>>,
    /// Corners of solids in the body's axes \[m\].
    corners: Vec<Vec<DVec3>>,
    /// Radius of the smallest ball about the body's place that holds it, at size one \[m\].
    pub radii: Vec<f64>,
}

impl Forms {
    /// The shapes of a recording.
    pub fn of(recording: &mut Recording) -> Result<Self, IoError> {
        let header = recording.header().clone();
        Self::new(&header, |mesh| recording.mesh(mesh))
    }

    /// The shapes of a header, of which this gives the meshes by number.
    pub fn new<E>(header: &Header, mut mesh: impl FnMut(u32) -> Result<MeshData, E>) -> Result<Self, E> {
        let true_spheres: Vec<_> = header.shapes.iter().map(|shape| shape.spheres.clone()).collect();
        let radii = header.shapes.iter().map(ShapeInfo::reach).collect();
        let corners = vec![Vec::new(); header.shapes.len()];
        let mut forms = Self { spheres: true_spheres.clone(), true_spheres, corners, radii };
        for (number, shape) in header.shapes.iter().enumerate().filter(|(_, shape)| shape.spheres.is_empty()) {
            let Some(data) = shape.mesh.map(&mut mesh).transpose()? else { continue };
            let corners: Vec<DVec3> = data.vertices.iter().map(|v| DVec3::from_array(v.map(f64::from))).collect();
            forms.radii[number] = corners.iter().map(|corner| corner.length()).fold(0.0, f64::max);
            let low = corners.iter().fold(DVec3::INFINITY, |low, corner| low.min(*corner));
            let high = corners.iter().fold(DVec3::NEG_INFINITY, |high, corner| high.max(*corner));
            let room = (high - low).element_product();
            forms.spheres[number].push([0.0, 0.0, 0.0, (3.0 * room / (4.0 * PI)).cbrt()]);
            forms.corners[number] = corners;
        }
        Ok(forms)
    }

    /// The balls of a frame by which a heap is seen.
    pub fn balls(&self, frame: &Frame) -> Vec<Ball> {
        balls(frame, &self.spheres)
    }

    /// The balls of a frame that are there.
    pub fn true_balls(&self, frame: &Frame) -> Vec<Ball> {
        balls(frame, &self.true_spheres)
    }

    /// The balls of a heap: bodies awake that touch less than two things roll or fly and are not
    /// part of it. In a frame of a solver that does not tell contacts, all are.
    pub fn of_heap(&self, frame: &Frame) -> Vec<Ball> {
        let mut heap = Frame { bodies: frame.bodies.clone(), ..Frame::default() };
        if frame.bodies.iter().any(|body| body.contacts > 0) {
            heap.bodies.retain(|body| body.contacts >= 2 || body.asleep);
        }
        self.balls(&heap)
    }

    /// The highest point of all bodies along up \[m\].
    pub fn highest(&self, frame: &Frame, up: DVec3) -> Option<f64> {
        let of_balls = self.true_balls(frame).into_iter().map(|ball| ball.centre.dot(up) + ball.radius);
        let of_solids = frame.bodies.iter().flat_map(|body| {
            let [w, x, y, z] = body.orientation.map(f64::from);
            let up_there = DQuat::from_xyzw(x, y, z, w).normalize().conjugate() * up * f64::from(body.size);
            let place = DVec3::from_array(body.position.map(f64::from)).dot(up);
            self.corners[body.shape.index()].iter().map(move |corner| place + corner.dot(up_there))
        });
        of_balls.chain(of_solids).filter(|height| height.is_finite()).reduce(f64::max)
    }
}
