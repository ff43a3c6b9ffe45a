//! Refuses to start on a processor without the instructions that the program was built with.
//!
//! `.cargo/config.toml` builds for x86-64-v3, and the compiler may use its instructions anywhere.
//! `is_x86_feature_detected!` answers from the build and not from the processor, so this module
//! asks the processor itself.

/// The message for a processor that is too old for this build.
pub(crate) const TOO_OLD: &str = "tumble: this build needs a processor with AVX2 (x86-64-v3, since 2013)
help: delete .cargo/config.toml and build tumble again on this machine
";

/// Whether the processor has every instruction that this build may contain.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) fn is_new_enough() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    // FMA, MOVBE, registers saved by the system, AVX and F16C.
    const BASIC: u32 = 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29;
    // BMI1, AVX2 and BMI2.
    const STRUCTURED: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    // LZCNT.
    const EXTENDED: u32 = 1 << 5;
    const EXTENDED_LEAF: u32 = 0x8000_0001;

    __cpuid(0).eax >= 7
        && __cpuid(1).ecx & BASIC == BASIC
        && __cpuid_count(7, 0).ebx & STRUCTURED == STRUCTURED
        && __cpuid(0x8000_0000).eax >= EXTENDED_LEAF
        && __cpuid(EXTENDED_LEAF).ecx & EXTENDED == EXTENDED
}

/// Other builds use no instruction that a processor of their kind may lack.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) fn is_new_enough() -> bool {
    true
}
