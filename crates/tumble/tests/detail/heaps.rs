//! Real grains and their particles.
