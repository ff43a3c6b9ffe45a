//! A state as frames show it: bodies, obstacles, layers of piles, joints.

use glam::DQuat;

use crate::Simulation;
use crate::frame::{Frame, FrameBody, FrameConstraint, FramePose};
use crate::world::{End, Grip};

impl Simulation {
    /// Writes what the outside sees of the present state.
    pub fn show(&self, frame: &mut Frame) {
        let bodies = &self.world.bodies;
        frame.number = self.frame_number();
        frame.time = self.time();
        frame.state_hash = self.state_hash();
        let method = self.solver.method();
        frame.bodies.clear();
        frame.bodies.extend(bodies.rows_by_id().map(|row| {
            let (traits, pose, motion) = (&bodies.traits[row], &bodies.pose[row], &bodies.motion[row]);
            FrameBody {
                id: traits.id,
                shape: traits.shape,
                material: traits.material,
                size: traits.size as f32,
                position: pose.position.as_vec3().to_array(),
                orientation: wxyz(self.world.shapes[traits.shape.index()].turned(pose.orientation)),
                velocity: motion.velocity.as_vec3().to_array(),
                spin: motion.spin.as_vec3().to_array(),
                contacts: 0,
                asleep: bodies.rest[row].asleep,
                held: bodies.grip[row] == Grip::Firm,
                method,
                layer: None,
            }
        }));
        for (id, contacts) in self.solver.contacts_of_bodies(&self.world) {
            if let Ok(index) = frame.bodies.binary_search_by_key(&id, |body| body.id) {
                frame.bodies[index].contacts += contacts;
            }
        }
        frame.constraints.clear();
        frame.layers.clear();
        self.directors.iter().for_each(|director| director.show(frame));
        self.show_joints(frame);
        frame.obstacles.clear();
        frame.obstacles.extend(self.world.obstacles.iter().map(|obstacle| FramePose {
            position: obstacle.pose.position.as_vec3().to_array(),
            orientation: wxyz(obstacle.pose.orientation),
        }));
    }

    /// Shows joints as lines from the body to what it is held to, and marks who is held.
    fn show_joints(&self, frame: &mut Frame) {
        let bodies = &self.world.bodies;
        for joint in self.world.joints.iter() {
            let Some(row) = bodies.row(joint.what.body) else { continue };
            let to = match joint.what.to {
                End::Body(id) => match bodies.row(id) {
                    Some(row) => bodies.pose[row].position,
                    None => continue,
                },
                End::Obstacle(id) => self.world.obstacles[id.index()].pose.to_world(joint.on_other.position),
                End::World => joint.on_other.position,
            };
            let ends = [bodies.pose[row].position, to].map(|end| end.as_vec3().to_array());
            frame.constraints.push(FrameConstraint { from: ends[0], to: ends[1] });
            for id in [Some(joint.what.body), joint.other_body()].into_iter().flatten() {
                if let Ok(index) = frame.bodies.binary_search_by_key(&id, |body| body.id) {
                    frame.bodies[index].held = true;
                }
            }
        }
    }
}

/// Parts of an orientation below this are rounding: single precision does not see them beside one.
const UNTURNED: f64 = 1e-12;

fn wxyz(q: DQuat) -> [f32; 4] {
    [q.w, q.x, q.y, q.z].map(|c| if c.abs() < UNTURNED { 0.0 } else { c as f32 })
}
