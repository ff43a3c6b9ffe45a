//! The program from outside: exit codes, messages, files, and what is left after everything that
//! can go wrong.

mod analysed;
mod bad_input;
mod balance;
mod common;
mod damaged;
mod detailed;
mod disk;
mod exported;
mod gallery;
mod hostile;
mod killed;
mod numbers;
mod pages;
mod piled;
mod pipes;
mod placed;
mod rendered;
mod resumed;
mod shell;
mod verified;
mod whole;
