//! Sleeping bodies in the neighbour list: they come first, and are left alone until others fall
//! asleep or wake.
//!
//! Reads the sleep flags; writes the row order of all bodies, a grid over the spheres of sleeping
//! bodies, and the history of contacts with no awake body. All of that is done when a frame begins
//! with other sleepers than the last list had. In between, lists are built from awake bodies only:
//! no sleeper is sorted, searches or is summed.
//!
//! A body that wakes within a frame stays in its row, between sleepers, as a block of its own,
//! which is added to the list. Many such rows would make many small blocks: then all rows are
//! sorted at once.

use glam::DVec3;

use super::memory::{Old, SavedContact, SavedWall};
use super::neighbours::{near_obstacles, smallest_sphere};
use super::spheres::OBSTACLE;
use super::{Block, Levels, Neighbours, SphereName, Spheres, Wall};
use crate::geometry::{Grid, Surface};
use crate::world::{Bodies, Obstacle, Rest, World};

/// This many bodies, plus the number of those awake besides, may wake before all rows are sorted
/// again: sorting takes as long as hundreds of steps of so few.
const SCATTERED: usize = 256;

/// The sleeping bodies, and the history of their contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sleepers {
    /// The bodies in the rows before this one were asleep when rows were last sorted.
    pub(super) rows: usize,
    /// Rows before `rows` whose bodies are awake again, ascending.
    pub(super) woken: Vec<u32>,
    /// Number of spheres in those rows.
    spheres: usize,
    levels: Levels,
    /// Spring history of contacts with no awake body, sorted by sphere name.
    pub(super) contacts: Vec<SleepingHistory<SavedContact, 2>>,
    pub(super) walls: Vec<SleepingHistory<SavedWall, 1>>,
}

/// History of a contact with no awake body, and the indices of its spheres, or [`NOBODY`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct SleepingHistory<T, const N: usize> {
    pub(crate) what: T,
    pub(crate) spheres: [u32; N],
}

/// In the place of a sphere: it belongs to an obstacle, or to a body that is gone.
const NOBODY: u32 = u32::MAX;

impl Sleepers {
    /// Whether nobody is asleep.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == self.woken.len()
    }

    /// The first row after the sleepers: from there on all bodies are awake.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Rows before [`Sleepers::rows`] whose bodies are awake, ascending.
    pub(crate) fn woken(&self) -> &[u32] {
        &self.woken
    }

    /// Number of spheres of the rows before [`Sleepers::rows`].
    pub(crate) fn spheres(&self) -> usize {
        self.spheres
    }

    /// Rows of all bodies that are awake.
    pub(crate) fn awake(&self, bodies: usize) -> impl Iterator<Item = usize> + Clone {
        self.woken.iter().map(|&row| row as usize).chain(self.rows..bodies)
    }

    /// Whether the body in a row is asleep.
    pub(crate) fn is_asleep(&self, row: u32) -> bool {
        (row as usize) < self.rows && self.woken.binary_search(&row).is_err()
    }

    /// Calls `visit` with runs of spheres that hold every sleeping sphere whose surface is within
    /// this distance \[m\] of a place.
    pub(crate) fn visit_near(&self, at: DVec3, distance: f64, visit: impl FnMut(&[u32])) {
        if !self.is_empty() {
            self.levels.visit_near(at, distance, visit);
        }
    }

    /// Contacts with no awake body.
    pub(crate) fn contacts<'a>(
        &'a self,
        spheres: &'a Spheres,
    ) -> impl Iterator<Item = &'a SleepingHistory<SavedContact, 2>> {
        let holds = |kept: &&SleepingHistory<SavedContact, 2>| {
            self.rests(spheres, kept.spheres[0])
                && (kept.what.b.is_of_obstacle() || self.rests(spheres, kept.spheres[1]))
        };
        self.contacts.iter().filter(holds)
    }

    /// Contacts of sleepers with surfaces of obstacles.
    pub(crate) fn walls<'a>(&'a self, spheres: &'a Spheres) -> impl Iterator<Item = &'a SleepingHistory<SavedWall, 1>> {
        self.walls.iter().filter(|kept| self.rests(spheres, kept.spheres[0]))
    }

    /// Whether there is no history to recall.
    pub(super) fn nothing_kept(&self) -> bool {
        self.contacts.is_empty() && self.walls.is_empty()
    }

    /// Stored history of the contact of two spheres, the smaller name first.
    pub(super) fn contact(&self, a: SphereName, b: SphereName) -> Option<&SavedContact> {
        let place = self.contacts.binary_search_by_key(&(a, b), |kept| (kept.what.a, kept.what.b));
        place.ok().map(|place| &self.contacts[place].what)
    }

    /// Stored history of the contact of a sphere with a piece of an obstacle.
    pub(super) fn wall(&self, key: (SphereName, u32, u32)) -> Option<&SavedWall> {
        let place = self.walls.binary_search_by_key(&key, |kept| kept.what.key());
        place.ok().map(|place| &self.walls[place].what)
    }

    /// Whether a sphere belongs to a sleeping body. Stored history is valid for such bodies only;
    /// that of awake bodies is in the list.
    fn rests(&self, spheres: &Spheres, sphere: u32) -> bool {
        (sphere as usize) < self.spheres
            && (self.woken.is_empty() || self.is_asleep(spheres.owner[sphere as usize].body))
    }
}

impl Neighbours {
    /// Whether the sleeping bodies differ from those that come first in the list.
    pub(crate) fn sleepers_differ(&self, world: &World) -> bool {
        let (rest, traits) = (&world.bodies.rest, &world.bodies.traits);
        let rows = self.sleepers.rows;
        !self.sleepers.woken.is_empty()
            || rest.len() < rows
            || rest[..rows].iter().any(|rest| !rest.asleep)
            || rest[rows..].iter().any(|rest| rest.asleep)
            || !self.names.ids().iter().zip(traits).take(rows).all(|(id, traits)| *id == traits.id)
    }

    /// Puts sleeping bodies into the first rows, in the order of cells and ids, and rebuilds their
    /// grid and history. The list has to be rebuilt after that.
    pub(crate) fn settle(&mut self, world: &mut World, spheres: &mut Spheres) {
        self.keep(world, spheres);
        let bodies = &mut world.bodies;
        let is_asleep = |row: &u32| bodies.rest[*row as usize].asleep;
        let (asleep, awake): (Vec<u32>, Vec<u32>) = (0..bodies.len() as u32).partition(is_asleep);
        let finest = smallest_sphere(world, asleep.iter().map(|&row| row as usize));
        let bodies = &mut world.bodies;
        let mut order = in_order(&mut self.grid, world_positions(bodies, &asleep), 2.0 * finest, |k| {
            bodies.traits[asleep[k as usize] as usize].id
        });
        order.iter_mut().for_each(|k| *k = asleep[*k as usize]);
        order.extend(awake);
        bodies.take_rows(&order);

        spheres.place(world, 0, 0.0);
        let sleepers = &mut self.sleepers;
        (sleepers.rows, sleepers.spheres) = (asleep.len(), spheres.first_of(asleep.len()));
        sleepers.woken.clear();
        sleepers.levels.build(&spheres.place, 0..sleepers.spheres, 0.0);
        let number = |name: SphereName| match world.bodies.row(name.body) {
            Some(row) => (spheres.of_body(row).start as u32).saturating_add(name.sphere),
            None => NOBODY,
        };
        for kept in &mut sleepers.contacts {
            kept.spheres = [number(kept.what.a), number(kept.what.b)];
        }
        for kept in &mut sleepers.walls {
            kept.spheres = [number(kept.what.sphere)];
        }
    }

    /// Stores the history of contacts that will have no awake body, besides the stored history that
    /// is still valid.
    fn keep(&mut self, world: &World, spheres: &Spheres) {
        let mut contacts: Vec<_> = self.sleepers.contacts(spheres).copied().collect();
        let mut walls: Vec<_> = self.sleepers.walls(spheres).copied().collect();
        let rests = |name: SphereName| {
            name.is_of_obstacle() || world.bodies.row(name.body).is_some_and(|row| world.bodies.rest[row].asleep)
        };
        // The name of a sphere: that of its owner is at hand. A damaged state may name spheres that
        // are not there.
        let name = |sphere: usize| match spheres.owner.get(sphere) {
            Some(owner) if owner.body != OBSTACLE => {
                let row = owner.body as usize;
                SphereName { body: self.names.ids()[row], sphere: (sphere - spheres.first_of(row)) as u32 }
            }
            _ => self.names.name(sphere),
        };
        for block in &self.blocks {
            for k in 0..block.len() {
                let a = name(block.spheres.start + k);
                if !rests(a) {
                    continue;
                }
                for p in block.pairs_of(k).filter(|&p| block.touched(p)) {
                    let b = name(block.pairs[p].partner as usize);
                    if rests(b) {
                        contacts.push(SleepingHistory { what: block.saved(p, a, b), spheres: [NOBODY; 2] });
                    }
                }
                let touching = block.walls[block.walls_of(k)].iter().filter(|wall| wall.touching);
                let exists = |wall: &&Wall| has_piece(&world.obstacles, wall.obstacle, wall.triangle);
                walls.extend(
                    touching.filter(exists).map(|wall| SleepingHistory { what: wall.saved(a), spheres: [NOBODY] }),
                );
            }
        }
        // Most are in order already, and a stable sort is fast then.
        contacts.sort_by_key(|kept| (kept.what.a, kept.what.b));
        walls.sort_by_key(|kept| kept.what.key());
        (self.sleepers.contacts, self.sleepers.walls) = (contacts, walls);
    }

    /// Wakes the bodies in these rows (ascending) and adds blocks for them to the list. With
    /// `sort`, or if there are too many of them between sleepers, sorts all rows instead and
    /// returns true: the list has to be rebuilt after that.
    pub(crate) fn wake(&mut self, world: &mut World, spheres: &mut Spheres, rows: &[u32], sort: bool) -> bool {
        for &row in rows {
            world.bodies.rest[row as usize] = Rest::default();
        }
        let awake = world.bodies.len() - self.sleepers.rows;
        if sort || self.sleepers.woken.len() + rows.len() > SCATTERED + awake {
            self.settle(world, spheres);
            return true;
        }
        for &row in rows {
            spheres.place_row(world, row as usize, 0.0);
            let block = self.block_of_woken(world, spheres, row as usize, rows);
            let is_before = |other: &Block| !other.bodies.is_empty() && other.bodies.start < row as usize;
            self.blocks.insert(self.blocks.partition_point(is_before), block);
        }
        self.sleepers.woken.extend_from_slice(rows);
        self.sleepers.woken.sort_unstable();
        self.names.set_woken(&self.sleepers);
        self.list_incoming(spheres.len());
        false
    }

    /// The block of a body that wakes together with those in these rows. Bodies that were awake
    /// before have their pairs with it already.
    fn block_of_woken(&self, world: &World, spheres: &Spheres, row: usize, rows: &[u32]) -> Block {
        let (mut block, mut near, mut among) = (Block::default(), Vec::new(), Vec::new());
        block.restart(row..row + 1, spheres.of_body(row));
        // Obstacles may have moved since the list was built, and move back.
        let skin_of_walls = 2.0 * self.skin;
        near_obstacles(world, row, skin_of_walls, &mut among);
        for s in spheres.of_body(row) {
            block.find_sleepers(s, spheres, &self.sleepers, self.skin, |other| {
                world.bodies.rest[other as usize].asleep || other as usize > row && rows.binary_search(&other).is_ok()
            });
            block.find_covers(s, spheres, &self.levels, self.skin);
            block.find_walls(&spheres.place[s], &world.obstacles, &among, skin_of_walls, &mut near);
            block.end_sphere();
        }
        block.give_slots();
        let old = Old { blocks: &[], names: &self.names, sleepers: &self.sleepers };
        block.recall(&old, &|sphere| Some(sphere as u32), (&self.names, spheres), self.rolls);
        block
    }
}

/// Whether an obstacle and a triangle of it exist: a damaged saved state may name any.
fn has_piece(obstacles: &[Obstacle], obstacle: u32, triangle: u32) -> bool {
    obstacles.get(obstacle as usize).is_some_and(|obstacle| match &obstacle.surface {
        Surface::Mesh(mesh) => (triangle as usize) < mesh.mesh().triangles().len(),
        _ => true,
    })
}

fn world_positions<'a>(bodies: &'a Bodies, rows: &'a [u32]) -> impl ExactSizeIterator<Item = DVec3> + Clone + 'a {
    rows.iter().map(|&row| bodies.pose[row as usize].position)
}

/// Numbers of points in the order of cells of at least this size, those of one cell in the order of
/// ids.
pub(super) fn in_order<Id: Ord>(
    grid: &mut Grid,
    points: impl ExactSizeIterator<Item = DVec3> + Clone,
    cell: f64,
    id: impl Fn(u32) -> Id,
) -> Vec<u32> {
    grid.build(points, cell);
    let mut order = grid.entries().to_vec();
    let cells = grid.cells();
    for group in order.chunk_by_mut(|&a, &b| cells[a as usize] == cells[b as usize]) {
        group.sort_unstable_by_key(|&point| id(point));
    }
    order
}
