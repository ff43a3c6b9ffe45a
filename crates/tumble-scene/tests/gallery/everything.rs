//! Scenes that use every key there is.

/// Uses every section and every key, but for `mesh_hash`, which loading adds. Each key can be left
/// out or spoilt alone.
pub(crate) const EVERYTHING: &str = r##"
title = "Everything"
solver = "granular"
law = "linear"
integrator = "rkf45"
tolerance = 1e-4
smallest_step = 1e-10
largest_step = 1e-2
one_by_one = true
repair = true
frames = [5, 9]
fps = 30
seed = 3
step = 1e-6
skin = 0.002
gravity = [0, 0, -1.6]
drag = 0.1
ground = -5

[bounds]
low = [-50, -50, -50]
high = [50, 50, 50]

[contact]
normal = "hertz"
dashpot = 0.5
coefficients = "given"
end = "zero_overlap"
restitution_speed = 2
shear = "spring"
shear_stiffness = 1e4
shear_damping = 0.5
rolling = "constant"

[stiction]
sliding = 0.5
turning = 0.2

[camera]
position = [3, -4, 2]
target = [0, 0, 0.5]
fov = 40

[material.sand]
density = 2650
rigid = false
youngs_modulus = 2e7
poisson_ratio = 0.25
stiffness = 2e4
restitution = 0.4
friction = 0.6
rolling_friction = 0.1
k_r = 2e5
k_d = 20
colour = "#c8a165"

[material.steel]
rigid = true

[[pair]]
between = ["sand", "steel"]
restitution = 0.3
friction = 0.2
rolling_friction = 0.05

[shape.grain]
clump = "sphere"
radius = 0.02

[shape.pebble]
clump = "cube"
radius = 0.015
overlap = 0.2

[[shape.bone.sphere]]
position = [0.02, 0, 0]
radius = 0.01
[[shape.bone.sphere]]
radius = 0.005

[shape.box]
mesh = "cube.obj"
scale = 0.1
cover = { radius = 0.09, density = 1.2, offset = -0.05, seed = 5 }

[shape.die]
model = { kind = "block", lengths = [0.2, 0.2, 0.2] }
cover = { radius = 0.09 }

[[obstacle]]
name = "mesh"
material = "steel"
mesh = "cube.obj"
scale = 0.5
look = "glass"
colour = "#336699"
position = [10, 0, 0]
rotation = [0, 0, 30]
velocity = [0, 0, 1]
spin = [0, 0, 90]
fine = { mesh = "cube.obj", scale = 0.6 }

[[obstacle]]
material = "steel"
plane = [0, 0, 1]
position = [0, 0, -6]

[[obstacle]]
material = "steel"
box = [0.1, 0.2, 0.3]
[obstacle.cover]
radius = 0.03
density = 0.5
offset = -0.02
seed = 2
[[obstacle.key]]
time = 0.1
position = [10, 5, 0]
rotation = [0, 10, 0]
[[obstacle.key]]
time = 0.2

[[obstacle]]
name = "hopper"
material = "steel"
position = [20, 0, 0]
[obstacle.model]
kind = "hopper"
section = "square"
outlet = 0.2
top = 1
angle = 25
bin = 0.4
wall = 0.01
segments = 24

[[obstacle]]
material = "steel"
position = [22, 0, 0]
model = { kind = "ring", radius = 0.5, tube = 0.1 }
fine = { segments = 96 }

[[obstacle]]
name = "glass"
material = "steel"
position = [24, 0, 0]
model = { kind = "hourglass", neck = 0.2, bulb = 1, height = 2 }

[[obstacle]]
material = "steel"
position = [26, 0, 0]
model = { kind = "pole", radius = 0.1, height = 1, rounded = true }

[[obstacle]]
material = "steel"
position = [28, 0, 0]
model = { kind = "slope", height = 1, width = 1, flat = 0.5 }

[[obstacle]]
material = "steel"
position = [30, 0, 0]
model = { kind = "cross", lengths = [1, 1, 0.2], arm = 0.2 }

[[obstacle]]
material = "steel"
position = [32, 0, 0]
model = { kind = "tetrahedron", edge = 0.5 }

[[obstacle]]
material = "steel"
position = [34, 0, 0]
model = { kind = "tyre", radius = 0.3, hole = 0.2, width = 0.15 }

[[obstacle]]
material = "steel"
position = [36, 0, 0]
model = { kind = "banana", length = 0.5 }

[[body]]
name = "ball"
shape = "grain"
material = "sand"
size = 2
position = [0, 0, 4]
rotation = [0, 0, 45]
velocity = [0, 0, 1]
spin = [10, 0, 0]

[detail]
count = 20
shapes = ["grain"]
seed = 3
influence = 2.5
kernel = "printed"
least_guides = 3
touch = 1.5
jitter = 0.1
refill = false
interpolations = 3
steps = 4
drag = 0.1
wind = [1, 0, 0]
friction = 0.3
restitution = 0.4
cell = 0.01

[[emitter]]
name = "stream"
shape = "grain"
material = "sand"
count = 1
size = [0.5, 1.5]
start = 0.5
rate = 100
point = [0, 5, 2]
spread = 0.1
drift = [0, 0, 0.1]
velocity = [0, 0, 1]
spin = [0, 10, 0]
rotation = [0, 0, 10]
[emitter.jitter]
position = 0.001
velocity = 0.1
spin = 20
orientation = true

[[emitter]]
shape = "grain"
material = "sand"
count = 1
rate = 10
point = [0, 5, 4]
[[emitter.key]]
time = 0.5
position = [0, 6, 4]
[[emitter.key]]
time = 1
position = [0, 7, 4]

[[emitter]]
shape = "pebble"
material = "sand"
count = 5
pattern = "lattice"
spacing = 0.1
[emitter.box]
low = [-1, -1, 1]
high = [1, 1, 2]

[[emitter]]
shape = "pebble"
material = "sand"
count = 5
mesh = "cube.obj"
scale = 0.4

[[emitter]]
shape = "pebble"
material = "sand"
count = 5
inside = "glass"
part = "lower"

[expect]
bodies = "> 1"
contacts = ">= 0"
kinetic_energy = ">= 0"
potential_energy = "-1e9 to 1e9"
deepest_overlap = "< 5 %"
highest = "< 50"
mean_height = "< 50"
contacts_per_body = ">= 0"
repose_angle = "30 ± 3"
packing = "0.55 to 0.65"
held = "= 0"
unsupported = "< 10"
release_loss = "< 2 %"
rate_spread = "< 10 %"
settled_frame = "> 1"
removed = "= 0"
warnings = "= 0"
"##;

/// The same for what only the rigid solver knows.
pub(crate) const EVERYTHING_RIGID: &str = r##"
solver = "rigid"
substeps = 6
sleeping = false
step = 0.01
ground = 0

[material.wood]
colour = "#b07d4f"

[shape.crate]
box = [0.2, 0.2, 0.2]

[shape.bean]
capsule = { radius = 0.1, length = 0.5 }

[shape.drum]
cylinder = { radius = 0.1, height = 0.5 }

[shape.wedge]
hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]

[[shape.mallet.part]]
box = [0.1, 0.1, 0.3]
position = [0, 0, 0.5]
rotation = [90, 0, 0]
[[shape.mallet.part]]
cylinder = { radius = 0.02, height = 0.9 }
[[shape.mallet.part]]
capsule = { radius = 0.03, length = 0.1 }
position = [0, 0, -0.5]
[[shape.mallet.part]]
hull = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
[[shape.mallet.part]]
ball = 0.05

[shape.cube]
mesh = "cube.obj"
scale = 0.1
convex = { concavity = 0.02, most_parts = 5, most_corners = 20 }

[[body]]
shape = "crate"
position = [0, 0, 3]

[[body]]
name = "row"
shape = "crate"
position = [3, 0, 3]
grid = [4, 1, 2]
spacing = [0.3, 0.3, 0.3]

[[pile]]
name = "heap"
angle = 35
position = [0.5, 0.5]
base = 0.1
rule = "local_layers"
threshold = 0.4
slow = 0.2
grace = 0.3

[[joint]]
name = "door"
kind = "hinge"
body = "body 1"
position = [0.1, 0.1, 3]
axis = [0, 0, 1]
turn = [-90, 90]
break_force = 1e6
break_torque = 1e5
collide = true

[[joint]]
kind = "slider"
body = "row 1"
to = "ground"
position = [3, 0, 3]
travel = [-1, 1]
turn = [0, 0]

[[joint]]
kind = "ball"
body = "row 2"
to = "row 3"
position = [3.45, 0, 3]
swing = 30

[[joint]]
kind = "fixed"
body = "row 5"
to = "row 6"
position = [3.15, 0, 3.3]
"##;
