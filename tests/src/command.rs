//! The compiled command, run as a person or a script would run it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::root;

/// A call of `rollgate` in the repository's folder, with an empty environment but for
/// what is set here, so that no variable of the machine decides a test.
#[derive(Debug)]
pub struct Rollgate {
    command: Command,
    input: Option<Vec<u8>>,
}

/// What a call left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code; -1 if a signal ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Rollgate {
    /// A call with these arguments.
    pub fn new(arguments: &[&str]) -> Self {
        let mut command = Command::new(binary());
        command.args(arguments).current_dir(root()).env_clear();
        Self { command, input: None }
    }

    /// Where the compiled command lies.
    pub fn path() -> PathBuf {
        binary()
    }

    /// With a variable of the environment.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// With this on standard input.
    #[must_use]
    pub fn input(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.input = Some(text.into());
        self
    }

    /// Runs it to its end.
    ///
    /// # Panics
    /// If it cannot be started, or writes anything but UTF-8.
    pub fn run(mut self) -> Outcome {
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.stdin(if self.input.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut child = self.command.spawn().expect("the command starts");
        if let (Some(input), Some(mut pipe)) = (self.input, child.stdin.take()) {
            // A command that refuses its arguments reads nothing; that is no failure here.
            drop(pipe.write_all(&input));
        }
        let output = child.wait_with_output().expect("the command ends");
        Outcome {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }
}

/// The command, compiled once for each test program, as people use it: without optimisation a
/// plan takes a hundred times as long.
fn binary() -> PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY
        .get_or_init(|| {
            let test = std::env::current_exe().expect("the test knows its own path");
            let target = test.ancestors().nth(3).expect("a test lies in <target>/<profile>/deps");
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--quiet", "--locked", "--release", "-p", "rollgate"]).current_dir(root());
            let status = cargo.env("CARGO_TARGET_DIR", target).status().expect("cargo starts");
            assert!(status.success(), "the command does not compile");
            target.join("release").join(format!("rollgate{}", std::env::consts::EXE_SUFFIX))
        })
        .clone()
}
