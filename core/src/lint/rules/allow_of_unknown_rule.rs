//! A comment allows what no rule is called.

use crate::description::nearest;
use crate::finding::{Confidence, Place, Severity};
use crate::lint::{Context, Found, RULES, Rule, allow};

pub(in crate::lint) static RULE: Rule = Rule {
    id: "allow-of-unknown-rule",
    title: "a comment allows a rule that does not exist",
    severity: Severity::Note,
    confidence: Confidence::High,
    finds: "A comment `# rollgate: allow …` with a name that no rule has.",
    hurts: "What it was meant to allow is still reported, or the comment has outlived its rule.",
    todo: "Correct the name, or take the comment away.",
    wrong: "The rule may be one of a newer rollgate than this.",
    sources: &["rollgate's own list of rules"],
    settings: &[],
    example: None,
    check,
};

fn check(context: &Context<'_>, found: &mut Found) {
    for name in context.names() {
        let text = context.files().get(name).unwrap_or_default();
        for allowance in allow::allowances(name, text) {
            for (start, rule) in &allowance.names {
                if RULES.iter().any(|known| known.id == *rule) {
                    continue;
                }
                let line_start = text[..*start].rfind('\n').map_or(0, |end| end + 1);
                let column = text[line_start..*start].chars().count() + 1;
                let at = Place {
                    file: name.clone(),
                    line: u32::try_from(allowance.line).unwrap_or(u32::MAX),
                    column: u32::try_from(column).unwrap_or(u32::MAX),
                    span: *start..start + rule.len(),
                    label: None,
                };
                let advice = match nearest(rule, RULES.iter().map(|rule| rule.id)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`rollgate explain` lists the rules".to_owned(),
                };
                found.add(at, format!("no rule is called `{rule}`"), advice);
            }
        }
    }
}
