//! Exit codes: what a script learns without reading a word.

use std::process::ExitCode;

/// How a call ended.
///
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; and where something was asked, the answer is yes.
    Fine,
    /// The answer is no: nothing respects the policy, or a finding is denied.
    No,
    /// The call or a file is wrong.
    Usage,
    /// Things still converge: ask again.
    NotYet,
    /// What was asked for could not be seen.
    CannotTell,
    /// A bug of ours.
    Bug,
}

impl Exit {
    /// The number.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::No => 1,
            Self::Usage => 2,
            Self::NotYet => 3,
            Self::CannotTell => 4,
            Self::Bug => 101,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Sees to it that a bug says where to look and ends with 101, also where a panic aborts.
pub(crate) fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line()));
        let what = message(panic.payload());
        eprintln!(
            "rollgate: this is a bug of ours{}: {what}\n\
             The same call gives the same again: please report it with the call, the files it read,\n\
             and rollgate {} (RUST_BACKTRACE=1 shows the way to the place).",
            place.unwrap_or_default(),
            env!("CARGO_PKG_VERSION"),
        );
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            eprintln!("{}", std::backtrace::Backtrace::force_capture());
        }
        #[expect(clippy::exit, reason = "a panic that aborts would end with another code")]
        std::process::exit(Exit::Bug.code().into());
    }));
}

/// What a panic says.
fn message(payload: &dyn std::any::Any) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn codes_are_those_of_the_table() {
        let codes = [Exit::Fine, Exit::No, Exit::Usage, Exit::NotYet, Exit::CannotTell, Exit::Bug].map(Exit::code);
        assert_eq!(codes, [0, 1, 2, 3, 4, 101]);
    }

    /// Runs itself once more with a bug planted.
    #[test]
    fn a_bug_says_where_to_look_and_ends_at_once_with_101() {
        if std::env::var_os("ROLLGATE_PLANT_A_BUG").is_some() {
            install_panic_hook();
            panic!("planted");
        }
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "--nocapture", "exit::tests::a_bug_says_where_to_look_and_ends_at_once_with_101"]);
        let output = again.env("ROLLGATE_PLANT_A_BUG", "1").env_remove("RUST_BACKTRACE").output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(101), "{err}");
        assert!(!out.contains("test result"), "it went on after the panic:\n{out}");
        assert!(err.contains("this is a bug of ours at cli/src/exit.rs:") && err.contains(": planted\n"), "{err}");
    }
}
