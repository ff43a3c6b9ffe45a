// The shaders that finish a picture: ambient occlusion from the depth buffer, and the output to the
// screen.

import { HEAD, WHOLE } from "./shaders.js";

// Ambient occlusion from the depth alone (McGuire, Mara & Luebke 2012, Scalable Ambient Obscurance,
// equation 10).
export const OBSCURANCE = {
  vertex: WHOLE,
  fragment: `${HEAD}
uniform sampler2D depths;
uniform vec4 rect;       // rectangle of the pane in the picture, from 0 to 1
uniform vec4 lens;       // horizontal and vertical tangents, near, far
uniform vec2 shift;      // centre of the view in the pane
uniform float radius;    // radius of ambient occlusion [m]
layout(location = 0) out vec4 colour;
const int SAMPLES = 18;
const int ORDER[16] = int[16](0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);
vec3 pointAt(vec2 at) {
  // The depth is that of the centre of a texel; on a slanted surface the offset matters.
  vec2 size = vec2(textureSize(depths, 0));
  ivec2 texel = ivec2(clamp((rect.xy + at * rect.zw) * size, vec2(0.0), size - 1.0));
  vec2 middle = ((vec2(texel) + 0.5) / size - rect.xy) / rect.zw;
  float depth = texelFetch(depths, texel, 0).r * 2.0 - 1.0;
  float z = 2.0 * lens.z * lens.w / (lens.w + lens.z - depth * (lens.w - lens.z));
  return vec3((middle * 2.0 - 1.0 - shift) * lens.xy * z, -z);
}
void main() {
  // This picture has half the resolution. Pixel i reads the centre of texel 2i: at the edge between
  // two texels rounding would decide which of them is read, differently from pixel to pixel, which
  // shows as comb patterns.
  vec2 uv = ((2.0 * gl_FragCoord.xy - 0.5) / vec2(textureSize(depths, 0)) - rect.xy) / rect.zw;
  vec2 texel = 1.0 / (vec2(textureSize(depths, 0)) * rect.zw);
  vec3 p = pointAt(uv);
  if (-p.z > lens.w * 0.98) { colour = vec4(1.0); return; }
  // Of the two neighbours on each axis, the one nearer in depth is on the same surface; there is
  // none beyond the border.
  vec3 l = p - pointAt(uv - vec2(texel.x, 0.0)), r = pointAt(uv + vec2(texel.x, 0.0)) - p;
  vec3 d = p - pointAt(uv - vec2(0.0, texel.y)), u = pointAt(uv + vec2(0.0, texel.y)) - p;
  bool isLeft = uv.x + 1.6 * texel.x > 1.0 || (uv.x > 1.6 * texel.x && abs(l.z) < abs(r.z));
  bool isDown = uv.y + 1.6 * texel.y > 1.0 || (uv.y > 1.6 * texel.y && abs(d.z) < abs(u.z));
  vec3 n = normalize(cross(isLeft ? l : r, isDown ? d : u));
  // Sixteen directions, one for each pixel of a four-by-four square, which are averaged later.
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  float turn = 6.2831853 * float(ORDER[cell.x + 4 * cell.y]) / 16.0;
  vec2 reach = min(vec2(0.25), 0.5 * radius / (-p.z * lens.xy));
  float sum = 0.0;
  float r2 = radius * radius;
  for (int k = 0; k < SAMPLES; k++) {
    float share = (float(k) + 0.5) / float(SAMPLES);
    float angle = turn + share * 6.2831853 * 7.0;
    vec2 at = uv + vec2(cos(angle), sin(angle)) * share * reach;
    if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) continue;
    vec3 v = pointAt(at) - p;
    float vv = dot(v, v), vn = dot(v, n);
    float f = max(r2 - vv, 0.0);
    sum += f * f * f * max((vn - 0.03 * radius) / (vv + 0.0005 * r2), 0.0);
  }
  float open = max(0.0, 1.0 - sum * 3.2 * radius / (r2 * r2 * r2 * float(SAMPLES)));
  // Far away, where the radius is only a few pixels, the precision of the depth is too low.
  open = mix(1.0, open, smoothstep(1.5, 5.0, reach.y / texel.y));
  colour = vec4(open, 0.0, 0.0, 1.0);
}`,
};

// Copies the picture to the screen, darkened by ambient occlusion.
export const COMPOSE = {
  vertex: WHOLE,
  fragment: `${HEAD}
in vec2 uv;
uniform sampler2D picture;
uniform sampler2D depths;
uniform sampler2D obscurance;
uniform vec4 rect;
uniform vec4 lens;
uniform float strength;
layout(location = 0) out vec4 colour;
float far(vec2 at) {
  float depth = textureLod(depths, at, 0.0).r * 2.0 - 1.0;
  return 2.0 * lens.z * lens.w / (lens.w + lens.z - depth * (lens.w - lens.z));
}
void main() {
  vec2 at = rect.xy + uv * rect.zw;
  vec3 seen = textureLod(picture, at, 0.0).rgb;
  if (strength > 0.0) {
    // The noise repeats after a few pixels; averaging over them within a surface removes it.
    vec2 texel = 2.0 / vec2(textureSize(picture, 0));
    ivec2 last = textureSize(obscurance, 0) - 1;
    float z = far(at), sum = 0.0, weight = 1e-4;
    // The ground at a grazing angle is one surface too: the depth may change at the local slope.
    vec2 slope = vec2(dFdx(z), dFdy(z)) * vec2(textureSize(picture, 0));
    for (int y = -2; y <= 1; y++) for (int x = -2; x <= 1; x++) {
      vec2 near = clamp(at + (vec2(x, y) + 0.5) * texel, rect.xy, rect.xy + rect.zw);
      float step = far(near) - z;
      float w = max(0.0, 1.0 - 30.0 * min(abs(step), abs(step - dot(slope, near - at))) / z);
      sum += w * texelFetch(obscurance, min(ivec2(near / texel), last), 0).r;
      weight += w;
    }
    seen *= mix(1.0, clamp((sum + 1e-4) / weight, 0.0, 1.0), strength);
  }
  colour = vec4(seen, 1.0);
}`,
};
