//! How `rollgate observe` is let in: passwords, certificates; and that it can only ask.

use rollgate_core::snapshot::{NoAnswer, Snapshot};
use rollgate_tests::scripted::{Script, ScriptedCluster, Tls, certificate};
use rollgate_tests::{Outcome, Rollgate, read, tracked_files};

#[test]
fn a_password_comes_from_a_file_the_environment_or_standard_input() {
    let cluster = with_password();
    let file = std::env::temp_dir().join(format!("rollgate-observe-{}", std::process::id()));
    std::fs::write(&file, format!("{SECRET}\n")).unwrap();
    let from_file = format!("file:{}", file.display());
    let call = |from: &str| {
        let connect = cluster.connect();
        let call = ["observe", "--connect", &connect, "--connect-user", "reader", "--connect-password-from", from];
        Rollgate::new(&call)
    };
    for call in [call(&from_file), call("env:READER").variable("READER", SECRET), call("stdin").input(SECRET)] {
        let outcome = call.run();
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
        assert!(!outcome.stdout.contains(SECRET));
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn a_wrong_password_is_refused_and_never_shown() {
    let cluster = with_password();
    let call =
        ["observe", "--connect", &cluster.connect(), "--connect-user", "reader", "--connect-password-from", "stdin"];
    let outcome = Rollgate::new(&call).input("MADE-UP-wrong").run();
    assert_eq!(outcome.code, 4);
    let seen = Snapshot::read(&outcome.stdout).unwrap();
    assert_eq!(seen.endpoints[0].no_answer, Some(NoAnswer::Forbidden));
    assert!(!format!("{outcome:?}").contains("MADE-UP"), "{outcome:?}");
}

#[test]
fn mistakes_with_secrets_are_told_without_them() {
    let connect = ["observe", "--connect", "http://w1:8083"];
    let kafka = ["observe", "--bootstrap", "kafka:9092"];
    for (call, more, words) in [
        (connect, &["--password", SECRET][..], "Give --password-from file:PATH"),
        (connect, &["--connect-user", "reader", "--connect-password-from", SECRET], "file:PATH, env:NAME or stdin"),
        (connect, &["--connect-user", "reader", "--connect-password-from", "env:NOT_SET"], "NOT_SET: it is not set"),
        (connect, &["--connect-user", "a:b", "--connect-password-from", "env:READER"], "no colon can be in the name"),
        (["observe", "--connect", "http://reader:MADE-UP@w1:8083"], &[], "--connect-password-from file:PATH"),
        (kafka, &["--sasl", "PLAIN", "--user", "reader"], "--sasl PLAIN goes with --user and --password-from"),
        (kafka, &["--sasl", "OAUTHBEARER"], "--sasl OAUTHBEARER goes with --token-from"),
        (kafka, &["--sasl", "PLAIN", "--token-from", "env:READER"], "--sasl PLAIN goes with --user"),
        (kafka, &["--sasl", "PLAIN", "--user", "reader", "--password-from", "env:EMPTY"], "EMPTY: it is empty"),
    ] {
        let call = Rollgate::new(&[&call[..], more].concat()).variable("READER", SECRET).variable("EMPTY", "");
        let outcome = call.run();
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{more:?}: {outcome:?}");
        assert!(outcome.stderr.contains(words), "{more:?}: {}", outcome.stderr);
        assert!(!outcome.stderr.contains("MADE-UP"), "{more:?}: {}", outcome.stderr);
    }
}

#[test]
fn a_private_authority_is_trusted_only_where_it_is_named() {
    let cluster = with_tls("worker", false);
    let ca = path("ca.pem");
    assert_eq!(ask(&cluster, &["--ca", &ca]).code, 0);
    for more in [&[][..], &["--ca", &path("foreign-ca.pem")]] {
        not_trusted(&cluster, more, "its certificate is not trusted: none of the known authorities has signed it");
    }
    not_trusted(&with_tls("other", false), &["--ca", &ca], "its certificate is not trusted: it is for another name");
}

#[test]
fn a_worker_that_wants_a_certificate_gets_it() {
    let cluster = with_tls("worker", true);
    let (ca, certificate, key) = (path("ca.pem"), path("client.pem"), path("client.key"));
    assert_eq!(ask(&cluster, &["--ca", &ca, "--certificate", &certificate, "--key", &key]).code, 0);
    not_trusted(&cluster, &["--ca", &ca], "perhaps it wants a certificate");
}

#[test]
fn tls_and_plain_text_that_meet_are_told_apart() {
    let cluster = with_tls("worker", false);
    let outcome = Rollgate::new(&["observe", "--connect", &cluster.connect().replace("https", "http")]).run();
    assert_eq!(outcome.code, 4, "{outcome:?}");
    let cluster = ScriptedCluster::start(Script::of(&["w1"]));
    let outcome = Rollgate::new(&["observe", "--connect", &cluster.connect().replace("http", "https")]).run();
    let seen = Snapshot::read(&outcome.stdout).unwrap();
    assert_eq!(seen.endpoints[0].no_answer, Some(NoAnswer::Unreadable), "{seen:?}");
    assert_eq!(seen.endpoints[0].version.why_unknown(), Some("its port does not speak TLS; perhaps it wants http"),);
}

#[test]
fn files_that_hold_no_certificate_or_key_are_named() {
    let (ca, key) = (path("ca.pem"), path("client.key"));
    for (more, words) in [
        (&["--ca", "no.pem"][..], "cannot read no.pem: "),
        (&["--ca", &key], "client.key: there is no certificate in it (PEM)"),
        (&["--certificate", &ca, "--key", &ca], "ca.pem: there is no private key in it (PEM, not encrypted)"),
    ] {
        let outcome = Rollgate::new(&[&["observe", "--connect", "https://127.0.0.1:1"][..], more].concat()).run();
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{more:?}");
        assert!(outcome.stderr.contains(words), "{more:?}: {}", outcome.stderr);
    }
}

/// The HTTP client is named in one place, which knows one method. (What can be asked of Kafka
/// is a closed list of its own; the scripted servers of all these tests see what is sent.)
#[test]
fn the_command_has_no_request_that_changes_a_worker() {
    let sources = tracked_files().into_iter().filter(|path| path.starts_with("cli/src/") && path.contains(".rs"));
    let mut clients = Vec::new();
    for path in sources {
        let code = read(&path);
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        if code.contains("ureq::") && path != "cli/src/collect/address.rs" {
            clients.push(path.clone());
        }
        for word in
            ["\"POST\"", "\"PUT\"", "\"DELETE\"", "\"PATCH\"", ".post(", ".put(", ".delete(", ".patch(", ".run("]
        {
            let of_client = path.starts_with("cli/src/collect/") && !path.starts_with("cli/src/collect/kafka/");
            assert!(!(of_client && code.contains(word)), "{path}: {word}");
        }
    }
    assert_eq!(clients, ["cli/src/collect/rest.rs"]);
    let rest = read("cli/src/collect/rest.rs");
    assert_eq!(rest.matches("self.agent.").count(), 1, "more than one request");
    assert_eq!(rest.matches("self.agent.get(").count(), 1);
}

/// One worker that wants a user and a password.
fn with_password() -> ScriptedCluster {
    let mut script = Script::of(&["w1"]);
    script.worker("w1").user = Some(("reader".to_owned(), SECRET.to_owned()));
    ScriptedCluster::start(script)
}

/// One worker that speaks TLS with that certificate.
fn with_tls(certificate: &str, wants_certificate: bool) -> ScriptedCluster {
    let mut script = Script::of(&["w1"]);
    script.worker("w1").tls = Some(Tls { certificate: certificate.to_owned(), wants_certificate });
    ScriptedCluster::start(script)
}

fn ask(cluster: &ScriptedCluster, more: &[&str]) -> Outcome {
    let outcome = Rollgate::new(&[&["observe", "--connect", &cluster.connect()][..], more].concat()).run();
    assert_eq!(cluster.log().more_than_questions(), []);
    outcome
}

fn not_trusted(cluster: &ScriptedCluster, more: &[&str], words: &str) {
    let outcome = ask(cluster, more);
    assert_eq!(outcome.code, 4, "{outcome:?}");
    let seen = Snapshot::read(&outcome.stdout).expect("a snapshot");
    assert_eq!(seen.endpoints[0].no_answer, Some(NoAnswer::Certificate), "{seen:?}");
    let why = seen.endpoints[0].version.why_unknown();
    assert!(why.is_some_and(|why| why.contains(words)), "{seen:?}");
}

fn path(name: &str) -> String {
    certificate(name).display().to_string()
}

/// What no output may hold.
const SECRET: &str = "MADE-UP-größe:1";
