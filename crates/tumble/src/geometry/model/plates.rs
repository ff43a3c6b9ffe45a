//! A slope to roll down and a blade to push with: profiles in x and z with a width along y.

use glam::DVec2;

use super::Mesh;
use super::extrude::{fan, strip, upright_prism};

pub(super) fn slope(height: f64, angle: f64, width: f64, flat: f64, wall: f64) -> Mesh {
    let run = height / angle.tan();
    let mut corners = vec![DVec2::new(-run, -wall), DVec2::new(flat, -wall), DVec2::new(flat, 0.0)];
    if flat > 0.0 {
        corners.push(DVec2::ZERO);
    }
    corners.push(DVec2::new(-run, height));
    upright_prism(&corners, &fan(corners.len() as u32), width)
}

pub(super) fn blade(radius: f64, width: f64, height: f64, wall: f64, segments: u32) -> Mesh {
    let (steps, half) = ((segments / 4).max(2), (0.5 * height / radius).asin());
    // From the lower edge up the hollow front, which has its edges at x = 0, and down the back,
    // which is the front moved.
    let front = (0..=steps).map(|k| {
        let turn = half * (2.0 * f64::from(k) / f64::from(steps) - 1.0);
        DVec2::new(radius * (half.cos() - turn.cos()), 0.5 * height + radius * turn.sin())
    });
    let mut corners: Vec<DVec2> = front.collect();
    corners.extend(corners.clone().iter().rev().map(|corner| *corner - DVec2::new(wall, 0.0)));
    upright_prism(&corners, &strip(corners.len() as u32), width)
}
