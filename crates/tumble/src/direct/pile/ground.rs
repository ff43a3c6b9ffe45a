//! The ground that a pile has: squares of the plan around its axis, as far as walls let it spread,
//! and how high its rim is.
//!
//! Reads obstacles; planes are walls where they are steep, and ground else. From the square of the
//! axis the ground spreads to all squares that no wall is in between, half a body above the base: a
//! container is filled to its walls and not behind them. Where it is closed all around, the pile
//! can stand no higher at a wall than the wall is: then it spills. Found anew when the axis or an
//! obstacle moves; it depends on nothing else, so it is no state.

use glam::{DVec2, DVec3, IVec2};

use crate::geometry::Surface;
use crate::world::{Obstacle, Pose};

/// Squares that the ground can grow by before it is looked at again.
const GROWTH: i32 = 4;

/// How far from its axis a pile is looked at, over the side of a square: no machine holds the
/// bodies of such a pile.
const FARTHEST: f64 = 1000.0;

/// Squares are counted up to here from the origin: the sum of two such numbers does not overflow.
const OUTERMOST: f64 = 1e9;

/// A plane is a wall if its normal leans from up by more than 45 degrees: this is its upward part.
const WALL: f64 = 0.7;

/// How far up a wall is followed, over the side of a square.
const HIGHEST: usize = 1000;

/// Where a pile can be.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    /// The inputs it was found for: the square of the axis, the searched radius, the side of
    /// squares \[m\], and where the walls are.
    middle: IVec2,
    far: i32,
    side: f64,
    walls: Vec<Pose>,
    /// Squares that it has, row by row; empty if there is no wall.
    open: Vec<bool>,
    /// Places of a rim that is closed all around, and how high it is there above the base \[m\].
    rim: Vec<(DVec2, f64)>,
}

impl Ground {
    /// Looks at squares of this side up to `reach` from the axis \[m\].
    pub(super) fn look(&mut self, obstacles: &[Obstacle], axis: DVec2, side: f64, reach: f64, base: f64) {
        let middle = square_at(axis, side);
        let far = ((reach / side).clamp(0.0, FARTHEST) as i32 / GROWTH + 1) * GROWTH;
        let is_near = |(_, obstacle): &(usize, &Obstacle)| {
            let pose = &obstacle.pose;
            let way = match obstacle.surface {
                Surface::Plane if (pose.orientation * DVec3::Z).z.abs() > WALL => return false,
                Surface::Plane => obstacle.surface.distance(pose.to_local(axis.extend(base))),
                _ => pose.position.truncate().distance(axis) - obstacle.surface.reach(),
            };
            way < side * 1.5 * f64::from(far)
        };
        let near: Vec<(usize, &Obstacle)> = obstacles.iter().enumerate().filter(is_near).collect();
        let walls: Vec<Pose> = near.iter().map(|(_, wall)| wall.pose).collect();
        if (middle, far, side) == (self.middle, self.far, self.side) && walls == self.walls {
            return;
        }
        (self.middle, self.far, self.side, self.walls) = (middle, far, side, walls);
        self.open.clear();
        self.rim.clear();
        if near.is_empty() {
            return;
        }
        // Whether a wall is in the way at a place: within a quarter of a square, so that of three
        // places from the middle of a square to the next at least one notices it.
        let is_wall = |place: DVec2, height: f64| {
            let point = place.extend(base + height);
            near.iter().any(|(_, wall)| wall.surface.distance(wall.pose.to_local(point)) < 0.25 * side)
        };
        self.spread(side, is_wall);
    }

    fn spread(&mut self, side: f64, is_wall: impl Fn(DVec2, f64) -> bool) {
        let place = |square: IVec2| side * (square.as_dvec2() + 0.5);
        let low = 0.5 * side;
        let width = (2 * self.far + 1) as usize;
        if is_wall(place(self.middle), low) {
            return;
        }
        let mut open = vec![false; width * width];
        let mut next = vec![self.middle];
        let (mut rim, mut is_closed) = (Vec::new(), true);
        open[self.number(self.middle)] = true;
        while let Some(square) = next.pop() {
            for step in [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y] {
                let other = square + step;
                if !self.is_around(other) {
                    is_closed = false;
                    continue;
                }
                if open[self.number(other)] {
                    continue;
                }
                let between = [0.5, 1.0].map(|part| place(square).lerp(place(other), part));
                if let Some(wall) = between.into_iter().find(|&place| is_wall(place, low)) {
                    let top = (1..HIGHEST).find(|&k| !is_wall(wall, low + k as f64 * side));
                    rim.extend(top.map(|k| (wall, low + (k as f64 - 0.5) * side)));
                } else {
                    open[self.number(other)] = true;
                    next.push(other);
                }
            }
        }
        self.open = open;
        if is_closed {
            self.rim = rim;
        }
    }

    /// The largest radius that a cone can have so that it stands nowhere higher than the rim \[m\].
    pub(super) fn most(&self, axis: DVec2, slope: f64) -> f64 {
        self.rim.iter().map(|(place, height)| place.distance(axis) + height / slope).fold(f64::INFINITY, f64::min)
    }

    /// Whether there is no wall around.
    pub(super) fn is_open(&self) -> bool {
        self.walls.is_empty()
    }

    /// Whether a square is part of it.
    pub(super) fn holds(&self, square: IVec2) -> bool {
        self.is_around(square) && (self.open.is_empty() || self.open[self.number(square)])
    }

    /// All squares of it, row by row.
    pub(super) fn squares(&self) -> impl Iterator<Item = IVec2> {
        let all = -self.far..=self.far;
        let squares = all.clone().flat_map(move |y| all.clone().map(move |x| IVec2::new(x, y)));
        squares.map(|square| self.middle + square).filter(|&square| self.holds(square))
    }

    fn is_around(&self, square: IVec2) -> bool {
        (square - self.middle).abs().max_element() <= self.far
    }

    fn number(&self, square: IVec2) -> usize {
        let IVec2 { x, y } = square - self.middle + self.far;
        (y * (2 * self.far + 1) + x) as usize
    }
}

/// The square of the plan that a place is in.
pub(super) fn square_at(place: DVec2, side: f64) -> IVec2 {
    (place / side).floor().clamp(DVec2::splat(-OUTERMOST), DVec2::splat(OUTERMOST)).as_ivec2()
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::world::MaterialId;
    use crate::world::Path;

    /// Four boards of height 1 around a square of 4 × 4 about the origin; one can be left out.
    fn boards(count: usize) -> Vec<Obstacle> {
        let board = |k: usize| {
            let (away, turned) = ([DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y][k], k > 1);
            let half = if turned { DVec3::new(2.1, 0.05, 0.5) } else { DVec3::new(0.05, 2.1, 0.5) };
            let pose = Pose { position: (2.05 * away).extend(0.5), ..Pose::IDENTITY };
            Obstacle::new("board", MaterialId(0), Surface::Box(half), Path::Fixed(pose))
        };
        (0..count).map(board).collect()
    }

    fn ground(obstacles: &[Obstacle]) -> Ground {
        let mut ground = Ground::default();
        ground.look(obstacles, DVec2::ZERO, 0.3, 4.0, 0.0);
        ground
    }

    #[test]
    fn a_box_has_walls_and_a_rim() {
        let ground = ground(&boards(4));
        let area = 0.09 * ground.squares().count() as f64;
        assert!((12.0..=16.1).contains(&area), "{area}");
        assert!(ground.holds(IVec2::new(5, -5)) && !ground.holds(IVec2::new(8, 0)));
        let rim = ground.most(DVec2::ZERO, 1.0) - 2.0;
        assert!((rim - 1.0).abs() < 0.3, "{rim}");
    }

    #[test]
    fn without_a_board_it_is_open() {
        let ground = ground(&boards(3));
        assert!(ground.most(DVec2::ZERO, 1.0) == f64::INFINITY && ground.holds(IVec2::new(0, -9)));
        assert!(!ground.holds(IVec2::new(6, 0)), "a board is no ground");
    }

    /// A vertical plane at x = 1 that looks to the axis is a wall; the floor is not.
    #[test]
    fn a_steep_plane_is_a_wall() {
        let plane = |x: f64, lean: f64| {
            let pose = Pose { position: DVec3::new(x, 0.0, 0.0), orientation: DQuat::from_rotation_y(lean) };
            Obstacle::new("plane", MaterialId(0), Surface::Plane, Path::Fixed(pose))
        };
        let with_wall = ground(&[plane(0.0, 0.0), plane(1.0, -0.5 * std::f64::consts::PI)]);
        assert!(with_wall.holds(IVec2::new(2, 0)) && !with_wall.holds(IVec2::new(4, 0)));
        assert!(with_wall.holds(IVec2::new(-9, 0)) && !with_wall.is_open());
        assert!(ground(&[plane(0.0, 0.3)]).is_open());
    }

    #[test]
    fn without_walls_it_goes_as_far_as_it_is_looked_at() {
        let ground = ground(&[]);
        assert_eq!(ground.squares().count(), 33 * 33);
        assert!(!ground.holds(IVec2::new(17, 0)) && ground.most(DVec2::ZERO, 1.0) == f64::INFINITY);
    }
}
