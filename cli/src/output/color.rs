//! Whether to colour.

use crate::args::Color;

/// What was asked for on the command line counts first, then `NO_COLOR` (no-color.org),
/// then `CLICOLOR_FORCE`, then whether a terminal that knows colours is on the other side.
pub(crate) fn wants_color(asked: Color, variable: impl Fn(&str) -> Option<String>, terminal: bool) -> bool {
    let set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    match asked {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if set("NO_COLOR") => false,
        Color::Auto if set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").as_deref() != Some("0") => true,
        Color::Auto => terminal && variable("TERM").as_deref() != Some("dumb"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(asked: Color, variables: &[(&str, &str)], terminal: bool) -> bool {
        let variable =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        wants_color(asked, variable, terminal)
    }

    #[test]
    fn colours_go_to_terminals_that_want_them() {
        for (asked, variables, terminal, expected) in [
            (Color::Auto, &[][..], true, true),
            (Color::Auto, &[], false, false),
            (Color::Auto, &[("NO_COLOR", "1")], true, false),
            (Color::Auto, &[("NO_COLOR", "")], true, true),
            (Color::Auto, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false, false),
            (Color::Auto, &[("CLICOLOR_FORCE", "1")], false, true),
            (Color::Auto, &[("CLICOLOR_FORCE", "0")], false, false),
            (Color::Auto, &[("TERM", "dumb")], true, false),
            (Color::Always, &[("NO_COLOR", "1")], false, true),
            (Color::Never, &[("CLICOLOR_FORCE", "1")], true, false),
        ] {
            assert_eq!(wants(asked, variables, terminal), expected, "{asked:?} {variables:?} terminal: {terminal}");
        }
    }
}
