//! The header of a run's recording: what its bodies and obstacles look like, taken from the scene.

use glam::DQuat;
use tumble::geometry::{Mesh, Surface};
use tumble::world::{Shape, ShapeSphere};
use tumble_io::{CameraInfo, Header, MaterialInfo, MeshData, ObstacleInfo, ObstacleLook, ShapeInfo, SurfaceInfo};
use tumble_scene::Scene;
use tumble_scene::spec::{Colour, LookName, MaterialSpec};

use crate::follow::info;

/// The header of a scene's recording, and the meshes it names.
pub fn of(scene: &Scene) -> (Header, Vec<MeshData>) {
    let world = scene.simulation.world();
    let mut meshes = Vec::new();
    let mut surface = |surface: &Surface, fine: Option<&Mesh>| match surface {
        _ if fine.is_some() => {
            meshes.extend(fine.map(mesh_data));
            SurfaceInfo::Mesh(meshes.len() as u32 - 1)
        }
        Surface::Plane => SurfaceInfo::Plane,
        Surface::Box(half) => SurfaceInfo::Box(half.to_array()),
        Surface::Mesh(mesh) => {
            meshes.push(mesh_data(mesh.mesh()));
            SurfaceInfo::Mesh(meshes.len() as u32 - 1)
        }
    };
    // The ground comes before all other obstacles, and is drawn as a solid.
    let ground = scene.spec.ground.map(|_| (LookName::Solid, None));
    let looks = ground.into_iter().chain(scene.spec.obstacles.iter().map(|spec| (spec.look, spec.colour)));
    let obstacles = world.obstacles.iter().zip(looks).zip(&scene.fine_meshes);
    let obstacles = obstacles.map(|((obstacle, (look, colour)), fine)| ObstacleInfo {
        name: obstacle.name.clone(),
        material: obstacle.material.0,
        surface: surface(&obstacle.surface, fine.as_ref()),
        colour: rgb(colour),
        look: match look {
            LookName::Glass => ObstacleLook::Glass,
            LookName::Hidden => ObstacleLook::Hidden,
            LookName::Solid => ObstacleLook::Solid,
        },
    });
    let obstacles = obstacles.collect();
    let mut shape = |shape: &Shape| {
        // Frames tell how bodies are turned from the axes in which shapes were given.
        let sphere = |sphere: &ShapeSphere| (shape.axes * sphere.offset).extend(sphere.radius).to_array();
        let mesh = shape.mesh.as_ref().map(|mesh| {
            meshes.push(turned(mesh, shape.axes));
            meshes.len() as u32 - 1
        });
        ShapeInfo {
            name: shape.name.clone(),
            spheres: shape.spheres.iter().map(sphere).collect(),
            mesh,
            centre: shape.centre.to_array(),
        }
    };
    let shapes = world.shapes.iter().map(&mut shape).collect();
    let material =
        |(name, spec): &(String, MaterialSpec)| MaterialInfo { name: name.clone(), colour: rgb(spec.colour) };
    let header = Header {
        title: scene.title.clone(),
        fps: scene.fps,
        first_frame: scene.frames[0],
        obstacles,
        shapes,
        materials: scene.spec.materials.iter().map(material).collect(),
        camera: scene.spec.camera.as_ref().map(|camera| CameraInfo {
            position: camera.position.to_array(),
            target: camera.target.to_array(),
            fov: camera.fov,
        }),
        scene: scene.resolved.clone(),
        detail: scene.detail.as_ref().map(|(detailing, _)| info(detailing)),
        ..Header::default()
    };
    (header, meshes)
}

/// A colour as recordings hold it.
fn rgb(colour: Option<Colour>) -> Option<[u8; 3]> {
    colour.map(|Colour(rgb)| rgb)
}

fn mesh_data(mesh: &Mesh) -> MeshData {
    turned(mesh, DQuat::IDENTITY)
}

fn turned(mesh: &Mesh, axes: DQuat) -> MeshData {
    MeshData {
        vertices: mesh.vertices().iter().map(|&vertex| (axes * vertex).as_vec3().to_array()).collect(),
        triangles: mesh.triangles().to_vec(),
    }
}
