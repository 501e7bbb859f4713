//! Pictures: as expected, with labels that stand clear of one another, and the same on each call.
//!
//! A folder of `tests/scenarios/chart` holds a cluster and, in `pictures.yaml`, the options of each
//! picture beside it. With `UPDATE` set, the pictures are rewritten instead: look at them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use rollgate_core::chart::text_width;
use rollgate_core::text::Files;
use rollgate_core::verbs::{self, ChartOptions};
use rollgate_tests::{Rollgate, assert_same, difference, files_of, read, root, scenarios, tracked_files};

#[test]
fn pictures_are_as_expected() {
    let mut wrong = Vec::new();
    for folder in scenarios("chart") {
        let files = files_of(&folder);
        let pictures = files.get("pictures.yaml").expect("a scenario says what is drawn");
        let pictures: BTreeMap<String, ChartOptions> = serde_yaml::from_str(pictures).expect("options of pictures");
        assert!(!pictures.is_empty(), "{}: nothing is drawn", folder.display());
        for (name, options) in pictures {
            let svg = drawn(&files, &options).unwrap_or_else(|refused| panic!("{}: {refused}", folder.display()));
            keep(&folder.join(name), &svg, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}\nUPDATE=1 cargo test -p rollgate-tests --test chart rewrites them", wrong.join("\n"));
}

#[test]
fn pictures_of_the_documents_are_what_their_commands_draw() {
    let mut named = Vec::new();
    let mut wrong = Vec::new();
    for path in tracked_files().into_iter().filter(|path| path.to_lowercase().ends_with(".md")) {
        for line in read(&path).lines() {
            let Some((command, picture)) = line.trim().split_once(" > docs/pictures/") else { continue };
            let Some(arguments) = command.strip_prefix("rollgate ") else { continue };
            let outcome = Rollgate::new(&arguments.split_whitespace().collect::<Vec<_>>()).run();
            assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{command}");
            keep(&root().join("docs/pictures").join(picture), &outcome.stdout, &mut wrong);
            named.push(format!("docs/pictures/{picture}"));
        }
    }
    assert!(!named.is_empty(), "no document draws a picture");
    assert!(wrong.is_empty(), "{}\nUPDATE=1 cargo test -p rollgate-tests --test chart rewrites them", wrong.join("\n"));
    for picture in tracked_files().into_iter().filter(|path| path.starts_with("docs/pictures/")) {
        assert!(named.contains(&picture), "no document says how {picture} is drawn");
    }
}

#[test]
fn no_two_texts_overlap_and_none_leaves_the_picture() {
    let mut faults = String::new();
    let mut pictures = 0;
    for (name, cluster) in clusters() {
        for figure in ["roll", "unassigned", "lag", "delay", "variants"] {
            // What many runs go into is drawn at fewer widths.
            let dear = matches!(figure, "delay" | "variants");
            let widths: &[u32] = if dear { &[320, 700, 1_200] } else { &[320, 400, 699, 700, 1_200, 2_400] };
            for roll in rolls(figure) {
                for &width in widths {
                    let options = ChartOptions { figure: figure.into(), width, runs: Some(2), ..roll.clone() };
                    let Ok(svg) = drawn(&files(&cluster), &options) else {
                        assert_eq!(figure, "lag", "{name}: {figure} is refused");
                        continue;
                    };
                    pictures += 1;
                    for fault in crowded(&svg) {
                        _ = writeln!(faults, "{name}, {figure}, {width} px, wait {:?}: {fault}", options.wait);
                    }
                }
            }
        }
    }
    assert!(pictures > 200, "only {pictures} pictures were looked at");
    assert!(faults.is_empty(), "\n{faults}");
}

#[test]
fn a_crowded_picture_is_seen() {
    let text = |x: i32, y: i32, said: &str| {
        format!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"start\" font-size=\"14\" fill=\"#000000\">\n{said}\n</text>\n"
        )
    };
    let svg = |texts: &[String]| format!("<svg viewBox=\"0 0 200 100\">\n{}</svg>", texts.concat());
    assert_eq!(crowded(&svg(&[text(10, 20, "w1 left"), text(10, 50, "w1 left")])), Vec::<String>::new());
    assert_eq!(crowded(&svg(&[text(10, 20, "w1 left"), text(40, 25, "w2 left")])).len(), 1);
    assert_eq!(crowded(&svg(&[text(180, 20, "w1 left")])).len(), 1);
}

#[test]
fn pictures_say_what_they_show_to_those_who_do_not_see_them() {
    for (name, cluster) in clusters() {
        let svg = drawn(&files(&cluster), &ChartOptions { order: Some("listed".into()), ..ChartOptions::default() });
        let svg = svg.unwrap_or_else(|refused| panic!("{name}: {refused}"));
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{name}");
        assert!(svg.contains("role=\"img\"") && svg.contains("<title>Restarting "), "{name}");
        assert!(svg.contains("<desc>As listed") || svg.contains("<desc>"), "{name}");
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count(), "{name}");
    }
}

#[test]
fn each_colour_of_an_automatic_picture_has_a_dark_one() {
    let options =
        |theme: &str| ChartOptions { theme: theme.into(), order: Some("listed".into()), ..ChartOptions::default() };
    let files = files(&read("cli/examples/five-workers.yaml"));
    let [auto, light, dark] = ["auto", "light", "dark"].map(|theme| drawn(&files, &options(theme)).unwrap());
    let body = |svg: &str| svg.split_once("</style>").unwrap().1.to_owned();
    assert_same("what lies below the style, automatic and light", &body(&auto), &body(&light));
    let rules = auto.split_once("prefers-color-scheme:dark").expect("a rule for dark paper").1;
    for color in colors(&body(&auto)) {
        assert!(rules.contains(&format!("[fill=\"{color}\"]")), "{color} has no dark one");
    }
    assert!(colors(&body(&dark)).iter().all(|color| !colors(&body(&light)).contains(color)), "a light colour on dark");
}

#[test]
fn red_is_for_work_nobody_has_and_for_nothing_else() {
    let quiet = "version: 1\nkafka: 4.3.1\nworkers: 2\nconnectors: {a: 3}\n";
    let options = ChartOptions { theme: "light".into(), order: Some("listed".into()), ..ChartOptions::default() };
    let svg = drawn(&files(quiet), &options).unwrap();
    let red = svg.lines().filter(|line| line.contains("#C62828"));
    assert!(red.clone().count() > 0, "a restart leaves work without an owner");
    assert!(red.into_iter().all(|line| line.starts_with("<polygon") || line.starts_with("<text")), "{svg}");
}

#[test]
fn the_picture_of_plan_and_simulate_is_that_of_chart() {
    let cluster = "tests/scenarios/cli/small.yaml";
    let printed = |arguments: &[&str]| Rollgate::new(arguments).run().stdout;
    let chart = printed(&["chart", cluster, "--runs", "3"]);
    assert_same("plan -o svg", &printed(&["plan", cluster, "--runs", "3", "-o", "svg"]), &chart);
    let chart = printed(&["chart", cluster, "--order", "leader-last", "--wait", "settled"]);
    let simulated = printed(&["simulate", cluster, "--order", "leader-last", "--wait", "settled", "-o", "svg"]);
    assert_same("simulate -o svg", &simulated, &chart);
}

#[test]
fn pictures_of_a_ticket_lie_beside_it_and_are_named_in_it() {
    let folder = std::env::temp_dir().join(format!("rollgate pictures {}", std::process::id()));
    let name = folder.display().to_string();
    for verb in ["plan", "simulate"] {
        let cluster = "cli/examples/five-workers.yaml";
        let outcome = Rollgate::new(&[verb, cluster, "--runs", "2", "-o", "md", "--figures", &name]).run();
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{verb}");
        for file in ["roll.svg", "unassigned.svg", "lag.svg"] {
            assert!(outcome.stdout.contains(&format!("](<{name}/{file}>)")), "{verb} does not name {file}");
            let svg = std::fs::read_to_string(folder.join(file)).expect("the picture is there");
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{verb}: {file}");
        }
        std::fs::remove_dir_all(&folder).expect("the pictures can be removed");
    }
}

#[test]
fn a_lag_nobody_knows_is_refused_with_the_key_to_give() {
    let cluster = "version: 1\nkafka: 4.3.1\nworkers: 3\nconnectors: {orders: 6}\n";
    let outcome = Rollgate::new(&["chart", "-", "--figure", "lag", "--order", "listed"]).input(cluster).run();
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.contains("`rate`"), "{}", outcome.stderr);
}

/// Compares a file with what is drawn now, or writes it with `UPDATE` set.
fn keep(path: &Path, svg: &str, wrong: &mut Vec<String>) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a picture lies in a folder")).expect("the folder is made");
        std::fs::write(path, svg).expect("the picture is written");
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if let Some(difference) = difference(svg, &expected) {
        wrong.push(format!("{}: {difference}", path.strip_prefix(root()).unwrap_or(path).display()));
    }
}

fn drawn(files: &Files, options: &ChartOptions) -> Result<String, String> {
    let drawn = verbs::chart(files, "cluster.yaml", options, &mut |_| ());
    drawn.map(|answer| answer.report).map_err(|refusal| refusal.render(files, false))
}

fn files(cluster: &str) -> Files {
    [("cluster.yaml".to_owned(), cluster.to_owned())].into_iter().collect()
}

/// The rolls that a figure is looked at with: short and long ones.
fn rolls(figure: &str) -> Vec<ChartOptions> {
    let roll = |order: &str, wait: &str| ChartOptions {
        order: Some(order.into()),
        wait: Some(wait.into()),
        ..ChartOptions::default()
    };
    match figure {
        "variants" => vec![ChartOptions::default()],
        "delay" => vec![roll("leader-next", "back")],
        _ => vec![roll("leader-next", "back"), roll("leader-last", "settled")],
    }
}

/// Small and large clusters, with short and long names, restarts and delays.
fn clusters() -> Vec<(String, String)> {
    let cluster = |workers: &str, more: &str, connectors: &str| {
        format!("version: 1\nkafka: 4.3.1\nworkers: {workers}\n{more}connectors: {connectors}\n")
    };
    let long_names = |count: usize| {
        let name =
            |number| format!("{{name: connect-worker-of-the-production-{number:04}.eu-central-1.kafka.example.com}}");
        format!("[{}]", (1..=count).map(name).collect::<Vec<_>>().join(", "))
    };
    let flows = "{orders: {tasks: 12, rate: 8000/s, capacity: 1500/s, start: 2s}, a: {tasks: 2, rate: 3/s}}";
    let long_flows = "[{name: 'the-connector-of-the-orders-of-the-production-database-{n}', count: 8, tasks: 3, rate: \
                      812345/s, capacity: 300000/s, start: 2s}]";
    let quick = "restart: {stop: 10ms, start: 90ms}\n";
    let no_delay = "settings: {scheduled.rebalance.max.delay.ms: 0}\n";
    let long_delay = "settings: {scheduled.rebalance.max.delay.ms: 600000}\n";
    let mut all = vec![
        ("2 workers, quick".to_owned(), cluster("2", quick, "{a: 3}")),
        ("2 workers, no delay".to_owned(), cluster("2", no_delay, flows)),
        ("2 workers, long delay".to_owned(), cluster("2", long_delay, flows)),
        (
            "5 workers, wide letters".to_owned(),
            cluster(
                "[{name: 工作者工作者一}, {name: 工作者工作者二}, {name: é<&>\"x}, w4, w5]"
                    .replace("w4, w5", "{name: w4}, {name: w5}")
                    .as_str(),
                "",
                flows,
            ),
        ),
        ("12 workers, long names".to_owned(), cluster(&long_names(12), long_delay, long_flows)),
        (
            "30 workers, long names".to_owned(),
            cluster(&long_names(30), "restart: {stop: 1s, start: [18s, 21s, 33s]}\n", "{a: 60, b: 30}"),
        ),
    ];
    for example in ["five-workers", "twelve-workers"] {
        all.push((example.to_owned(), read(&format!("cli/examples/{example}.yaml"))));
    }
    all
}

/// What is wrong with where the texts of a picture stand.
fn crowded(svg: &str) -> Vec<String> {
    let size = attribute(svg, "viewBox").expect("a picture has a size");
    let size: Vec<i32> = size.split(' ').map(|part| part.parse().expect("a whole number")).collect();
    let texts: Vec<Written> = svg.split("<text ").skip(1).map(Written::of).collect();
    assert!(!texts.is_empty(), "a picture without a text");
    let mut faults = Vec::new();
    for (place, text) in texts.iter().enumerate() {
        if text.left < 0 || text.top < 0 || text.right > size[2] || text.bottom > size[3] {
            faults.push(format!("`{}` leaves the picture", text.said));
        }
        for other in &texts[place + 1..] {
            let apart = text.right <= other.left || other.right <= text.left;
            if !apart && text.top < other.bottom && other.top < text.bottom {
                faults.push(format!("`{}` lies over `{}`", text.said, other.said));
            }
        }
    }
    faults
}

/// A text as it stands in a picture, with the edges of its letters.
struct Written {
    said: String,
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Written {
    fn of(element: &str) -> Self {
        let (head, rest) = element.split_once('>').expect("an element is closed");
        let number = |name| attribute(head, name).and_then(|value| value.parse::<i32>().ok()).expect("a whole number");
        let said = rest.split_once("</text>").expect("a text ends").0.trim_end_matches('\n').trim_start_matches('\n');
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
        let said = entities.iter().fold(said.to_owned(), |said, (entity, sign)| said.replace(entity, sign));
        let (x, y, size) = (number("x"), number("y"), number("font-size"));
        assert!(size >= 11, "letters of {size} px are hard to read: {said}");
        let width = text_width(&said, size, attribute(head, "font-weight").is_some());
        let left = match attribute(head, "text-anchor").expect("an anchor") {
            "start" => x,
            "middle" => x - width / 2,
            _ => x - width,
        };
        // From the top of an accent to the foot of a `g`, round the middle of an `x`.
        Self { said, left, top: y - size / 2, right: left + width, bottom: y + size / 2 }
    }
}

fn attribute<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let start = text.find(&format!("{name}=\""))? + name.len() + 2;
    text[start..].split('"').next()
}

fn colors(body: &str) -> Vec<&str> {
    let mut colors: Vec<&str> = body.split('"').filter(|part| part.len() == 7 && part.starts_with('#')).collect();
    colors.sort_unstable();
    colors.dedup();
    colors
}
