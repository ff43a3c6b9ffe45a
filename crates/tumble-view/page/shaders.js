// The shaders of the scene. Bodies are drawn from the rows of a frame as received (`layout.js`).
//
// A sphere is a square that covers its outline exactly, also in the corners of a wide picture, and
// every pixel of the square casts a ray against the sphere: round at any size, with exact depth,
// for four vertices. Edges are softened by alpha to coverage, because multisampling sees only the
// square. Positions are relative to the eye.
//
// One source serves three passes: COLOUR draws, SHADOW renders the shadow map, PICK writes ids
// instead of colours.

export const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DShadow;
layout(std140) uniform View {
  mat4 camera;      // from positions relative to the eye to clip space
  mat4 sunView;     // from world positions to the shadow map
  vec4 eye;         // xyz position, w size of a pixel at distance 1
  vec4 sun;         // xyz towards the sun, w darkness of shadows
  vec4 sunRight;    // xyz, w half size of the shadow map [m]
  vec4 sunUp;       // xyz, w size of a texel of the shadow map [m]
  vec4 clip;        // points with dot(xyz, p) > w are clipped
  vec4 skyLight;
  vec4 groundLight;
  vec4 sunLight;
  vec4 accent;
  uvec4 chosen;     // id in two words, whether a body is selected, colour mode
  vec4 ranges;      // speed and contacts of the last colour
};
const float CLIP_OFF = 1e30;
`;

const ROTATE = `
vec3 rotate(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.yzw, v);
  return v + q.x * t + cross(q.yzw, t);
}
`;

export const LIGHT = `
uniform sampler2DShadow shadowMap;
vec3 toLinear(vec3 c) { return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878); }
vec3 toScreen(vec3 c) { return pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)); }
float sunlight(vec3 p, vec3 n) {
  if (sun.w <= 0.0) return 1.0;
  vec4 at = sunView * vec4(p + n * sunUp.w * 2.0, 1.0);
  vec3 uv = at.xyz * 0.5 + 0.5;
  if (any(lessThan(uv, vec3(0.0))) || any(greaterThan(uv, vec3(1.0)))) return 1.0;
  vec2 texel = 1.0 / vec2(textureSize(shadowMap, 0));
  float lit = 0.0;
  for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++)
    lit += texture(shadowMap, vec3(uv.xy + 1.3 * vec2(x, y) * texel, uv.z - 0.0012));
  return mix(1.0 - sun.w, 1.0, lit / 9.0);
}
vec3 lightOn(vec3 n, float lit) {
  vec3 ambient = mix(groundLight.xyz, skyLight.xyz, 0.5 + 0.5 * n.z);
  return ambient + sunLight.xyz * max(dot(n, sun.xyz), 0.0) * lit;
}
vec3 shade(vec3 albedo, vec3 p, vec3 n) {
  return albedo * lightOn(n, dot(n, sun.xyz) > 0.0 ? sunlight(p, n) : 0.0);
}
`;

export const PALETTE = `
uniform sampler2D colours;
vec3 colourAt(int index) { return texelFetch(colours, ivec2(index & 255, index >> 8), 0).rgb; }
vec3 along(int first, int count, float at) {
  float place = clamp(at, 0.0, 1.0) * float(count - 1);
  int low = min(int(place), count - 2);
  return mix(colourAt(first + low), colourAt(first + low + 1), place - float(low));
}
`;

const BODY_INPUTS = `${PALETTE}
layout(location = 0) in vec3 position;
layout(location = 1) in float size;
layout(location = 2) in vec4 orientation;
layout(location = 3) in vec3 velocity;
layout(location = 4) in uvec2 id;
layout(location = 5) in uint shape;
layout(location = 6) in uint material;
layout(location = 7) in uint contacts;
layout(location = 8) in uint state;
flat out vec3 tint;
flat out uvec2 name;
flat out float glow;

uint scramble(uint x) {
  x ^= x >> 16u; x *= 0x7feb352du; x ^= x >> 15u; x *= 0x846ca68bu;
  return x ^ (x >> 16u);
}
vec3 ofItsOwn(uint x) {
  vec3 hue = abs(fract(float(x & 0xffffu) / 65536.0 + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0;
  return mix(vec3(0.78), clamp(hue, 0.0, 1.0), 0.45) * (0.7 + 0.3 * float(x >> 16u) / 65535.0);
}
vec3 bodyColour() {
  uint mix32 = scramble(id.x * 0x9e3779b9u + id.y);
  switch (int(chosen.w)) {
    case 0: {
      // Grains of one material differ a little in brightness.
      float shadeOf = 0.9 + 0.2 * float(mix32 & 255u) / 255.0;
      return min(colourAt(29 + int(material)) * shadeOf, 1.0);
    }
    case 1: return ofItsOwn(mix32);
    case 2: return along(0, 6, sqrt(length(velocity) / ranges.x));
    case 3: return colourAt(24 + int(state & 1u));
    case 4: return colourAt(12 + int((state >> 8u) & 3u));
    case 5: return (state & 4u) != 0u ? colourAt(16 + int((state >> 16u) & 7u)) : colourAt(28);
    case 6: return (state & 2u) != 0u ? colourAt(27) : colourAt(26);
    default: return along(6, 6, float(contacts) / ranges.y);
  }
}
void describeBody() {
  bool isChosen = chosen.z == 1u && id == chosen.xy;
  tint = isChosen ? mix(bodyColour(), accent.rgb, 0.75) : bodyColour();
  glow = isChosen ? 1.0 : 0.0;
  name = id;
}
`;

const BODY_OUTPUTS = `
flat in vec3 tint;
flat in uvec2 name;
flat in float glow;
#ifdef PICK
layout(location = 0) out uvec4 picked;
#else
layout(location = 0) out vec4 colour;
#endif
`;

export const SPHERES = {
  vertex: `${HEAD}${ROTATE}${BODY_INPUTS}
uniform sampler2D shapes;
uniform int spheres;
flat out vec4 sphere;
out vec3 corner;
vec4 shapeAt(int index) { return texelFetch(shapes, ivec2(index & 1023, index >> 10), 0); }
void main() {
  int first = int(shapeAt(int(shape)).x);
  vec4 own = shapeAt(first + gl_InstanceID % spheres) * size;
  vec3 centre = position + rotate(normalize(orientation), own.xyz);
  float r = own.w;
  vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  describeBody();
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
#ifdef SHADOW
  sphere = vec4(centre, r);
  corner = vec3(side, 0.0);
  if (dot(clip.xyz, centre) > clip.w) return;
  gl_Position = sunView * vec4(centre + (sunRight.xyz * side.x + sunUp.xyz * side.y) * r, 1.0);
#else
  vec3 c = centre - eye.xyz;
  sphere = vec4(c, r);
  corner = c;
  float d2 = dot(c, c);
  // Spheres around the eye and clipped spheres are not drawn.
  if (d2 <= 1.0002 * r * r || dot(clip.xyz, centre) - clip.w > r) return;
  float d = sqrt(d2);
  vec3 n = c / d;
  vec3 a = normalize(cross(n, abs(n.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 b = cross(a, n);
  // The circle where rays from the eye touch the sphere, and one pixel more for the soft edge.
  float k = 1.0 - r * r / d2;
  float reach = r * sqrt(k) + 1.5 * eye.w * d;
  corner = c * k + (a * side.x + b * side.y) * reach;
  gl_Position = camera * vec4(corner, 1.0);
#endif
}`,
  fragment: `${HEAD}${BODY_OUTPUTS}
flat in vec4 sphere;
in vec3 corner;
#ifdef COLOUR
${LIGHT}
#endif
void main() {
#ifdef SHADOW
  float d2 = dot(corner.xy, corner.xy);
  if (d2 > 1.0) discard;
  gl_FragDepth = gl_FragCoord.z - 0.5 * sqrt(1.0 - d2) * sphere.w / sunRight.w;
  colour = vec4(1.0);
#else
  vec3 v = normalize(corner);
  vec3 c = sphere.xyz;
  float r = sphere.w;
  float b = dot(c, v);
  vec3 off = c - b * v;
  float p2 = dot(off, off);
  float cover = clamp((r - sqrt(p2)) / (eye.w * b) + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float h = sqrt(max(r * r - p2, 0.0));
  float t = b - h;
  vec3 n = (v * t - c) / r;
  float isCut = 0.0;
  if (clip.w < CLIP_OFF) {
    float over = dot(clip.xyz, eye.xyz + v * t) - clip.w;
    if (over > 0.0) {
      // The ray continues to the clip plane, and shows the inside if the sphere reaches that far.
      float slope = dot(clip.xyz, v);
      float s = t - over / slope;
      if (slope >= 0.0 || s > b + h) discard;
      t = s;
      n = clip.xyz;
      isCut = 1.0;
    }
  }
  vec4 at = camera * vec4(v * t, 1.0);
  gl_FragDepth = 0.5 * at.z / at.w + 0.5;
#ifdef PICK
  if (cover < 0.5) discard;
  picked = uvec4(name, 1u, 0u);
#else
  vec3 lit = shade(toLinear(tint) * (1.0 - 0.35 * isCut), eye.xyz + v * t, n);
  lit += glow * toLinear(accent.rgb) * 0.35 * pow(1.0 - max(dot(n, -v), 0.0), 2.0);
  colour = vec4(toScreen(lit), cover);
#endif
#endif
}`,
};

const SURFACE_FRAGMENT = `
in vec3 place;
in vec3 normal;
#ifdef COLOUR
${LIGHT}
#endif
bool isCutOff() { return dot(clip.xyz, place) > clip.w; }
vec3 facing() {
  // Corners of degenerate triangles have no normal; it is derived from the picture.
  vec3 n = dot(normal, normal) > 0.0 ? normalize(normal) : normalize(cross(dFdx(place), dFdy(place)));
  return dot(n, place - eye.xyz) > 0.0 ? -n : n;
}
`;

export const MESHES = {
  vertex: `${HEAD}${ROTATE}${BODY_INPUTS}
layout(location = 9) in vec3 vertex;
layout(location = 10) in vec3 vertexNormal;
out vec3 place;
out vec3 normal;
void main() {
  vec4 q = normalize(orientation);
  place = position + rotate(q, vertex * size);
  normal = rotate(q, vertexNormal);
  describeBody();
#ifdef SHADOW
  gl_Position = sunView * vec4(place, 1.0);
#else
  gl_Position = camera * vec4(place - eye.xyz, 1.0);
#endif
}`,
  fragment: `${HEAD}${BODY_OUTPUTS}${SURFACE_FRAGMENT}
void main() {
  if (isCutOff()) discard;
#ifdef PICK
  picked = uvec4(name, 1u, 0u);
#elif defined(SHADOW)
  colour = vec4(1.0);
#else
  vec3 n = facing();
  bool isInside = clip.w < CLIP_OFF && !gl_FrontFacing;
  vec3 lit = shade(toLinear(tint) * (isInside ? 0.65 : 1.0), place, isInside ? clip.xyz : n);
  lit += glow * toLinear(accent.rgb) * 0.35 * pow(1.0 - max(dot(n, normalize(eye.xyz - place)), 0.0), 2.0);
  colour = vec4(toScreen(lit), 1.0);
#endif
}`,
};

// Obstacles and overlays: one object at a time, solid or glass.
export const SOLIDS = {
  vertex: `${HEAD}${ROTATE}
layout(location = 9) in vec3 vertex;
layout(location = 10) in vec3 vertexNormal;
uniform vec3 origin;
uniform vec4 turn;
uniform vec3 extent;
out vec3 place;
out vec3 normal;
void main() {
  place = origin + rotate(turn, vertex * extent);
  normal = rotate(turn, vertexNormal / extent);
#ifdef SHADOW
  gl_Position = sunView * vec4(place, 1.0);
#else
  gl_Position = camera * vec4(place - eye.xyz, 1.0);
#endif
}`,
  fragment: `${HEAD}
uniform vec4 paint;
uniform float glass;
uniform uint number;
#ifdef PICK
layout(location = 0) out uvec4 picked;
#else
layout(location = 0) out vec4 colour;
#endif
${SURFACE_FRAGMENT}
void main() {
  if (isCutOff()) discard;
#ifdef PICK
  picked = uvec4(number, 0u, 2u, 0u);
#elif defined(SHADOW)
  colour = vec4(1.0);
#else
  vec3 n = facing();
  float rim = 1.0 - abs(dot(n, normalize(eye.xyz - place)));
  vec3 lit = mix(shade(toLinear(paint.rgb), place, n), toLinear(paint.rgb), glass * 0.7);
  colour = vec4(toScreen(lit), mix(paint.a, paint.a * (0.35 + 1.3 * rim * rim), glass));
#endif
}`,
};

// Infinite planes: a square that fades with the distance, with a grid for the scale.
export const GROUND = {
  vertex: `${HEAD}${ROTATE}
uniform vec3 origin;
uniform vec4 turn;
uniform float reach;
uniform vec2 middle;
out vec3 place;
out vec2 local;
void main() {
  local = middle + (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * reach;
  place = origin + rotate(turn, vec3(local, 0.0));
  gl_Position = camera * vec4(place - eye.xyz, 1.0);
}`,
  fragment: `${HEAD}${ROTATE}${LIGHT}
in vec3 place;
in vec2 local;
uniform vec4 turn;
uniform float reach;
uniform vec2 middle;
uniform float spacing;
uniform vec4 paint;
layout(location = 0) out vec4 colour;
float lines(vec2 at, float width) {
  vec2 w = fwidth(at);
  vec2 d = abs(fract(at - 0.5) - 0.5) / max(w, vec2(1e-6));
  vec2 line = (1.0 - smoothstep(width - 0.5, width + 0.5, d)) * clamp(1.0 - 2.5 * w, 0.0, 1.0);
  return max(line.x, line.y);
}
void main() {
  vec3 n = rotate(turn, vec3(0.0, 0.0, 1.0));
  bool isAbove = dot(n, eye.xyz - place) > 0.0;
  float far = length(local - middle) / reach;
  float fade = 1.0 - smoothstep(0.25, 1.0, far);
  vec3 lit = shade(toLinear(paint.rgb), place, n);
  float grid = max(0.5 * lines(local / spacing, 0.5), lines(local / (5.0 * spacing), 0.6));
  lit = mix(lit, lit * 0.62, grid * 0.55);
  colour = vec4(toScreen(lit), fade * (isAbove ? 1.0 : 0.12));
}`,
};

// Constraints: lines in the world.
export const LINES = {
  vertex: `${HEAD}
layout(location = 0) in vec3 position;
void main() { gl_Position = camera * vec4(position - eye.xyz, 1.0); }`,
  fragment: `${HEAD}
uniform vec4 paint;
layout(location = 0) out vec4 colour;
void main() { colour = paint; }`,
};

// A triangle that covers the whole picture.
export const WHOLE = `${HEAD}
out vec2 uv;
void main() {
  uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}`;

export const BACKGROUND = {
  vertex: WHOLE,
  fragment: `${HEAD}
in vec2 uv;
uniform vec3 top;
uniform vec3 bottom;
layout(location = 0) out vec4 colour;
void main() { colour = vec4(mix(bottom, top, smoothstep(0.0, 1.0, uv.y)), 1.0); }`,
};

// A source with the pass it is for.
export function forPass({ vertex, fragment }, pass) {
  const withPass = (source) => source.replace("#version 300 es\n", `#version 300 es\n#define ${pass}\n`);
  return [withPass(vertex), withPass(fragment)];
}
