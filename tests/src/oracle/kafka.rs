//! Kafka's own classes, in a JVM of their own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rollgate_core::assignor::Java;
use rollgate_core::model::{KafkaVersion, WorkerRules};

use super::{Course, Step};

/// A running oracle of one version.
#[derive(Debug)]
pub struct Kafka {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// The first round of a course that Kafka answers otherwise.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Its place in the course.
    pub step: usize,
    /// What Kafka says.
    pub kafka: String,
}

impl Kafka {
    /// Starts the oracle of a version.
    ///
    /// # Errors
    /// A sentence that says what to do, if Java or the prepared classes are missing.
    pub fn start(version: &str) -> Result<Self, String> {
        Self::start_with(version, &["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"])
    }

    /// The same with all that makes Java fast in the long run.
    ///
    /// # Errors
    /// As [`Kafka::start`].
    pub fn start_to_time(version: &str) -> Result<Self, String> {
        Self::start_with(version, &["-Xmx512m", "-XX:+UseParallelGC"])
    }

    fn start_with(version: &str, options: &[&str]) -> Result<Self, String> {
        let home = repository().join(".build/oracle").join(version);
        if !home.join("classes/done").exists() || !home.join("jars/done").exists() {
            return Err(format!("the classes of Kafka {version} are missing: run tests/oracle/prepare"));
        }
        let path = format!("{}:{}/*", home.join("classes").display(), home.join("jars").display());
        let mut child = Command::new("java")
            .args(options)
            .args(["-cp", &path])
            .arg("org.apache.kafka.connect.runtime.distributed.Oracle")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("java does not start ({error}): install a JDK 17 or later"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("java was started without pipes".to_owned());
        };
        Ok(Self { child, input: Some(input), output: BufReader::new(output) })
    }

    /// The Java that it runs on.
    ///
    /// # Errors
    /// If the oracle ended.
    pub fn java(&mut self) -> Result<Java, String> {
        let version: u32 = self.ask("J\n")?.parse().map_err(|_| "the oracle knows no version of Java")?;
        Ok(if version >= 19 { Java::From19 } else { Java::UpTo18 })
    }

    /// Asks something that is answered with one line.
    fn ask(&mut self, question: &str) -> Result<String, String> {
        let ended = |error: std::io::Error| format!("the oracle ended: {error}");
        let input = self.input.as_mut().ok_or("the oracle was closed")?;
        input.write_all(question.as_bytes()).and_then(|()| input.flush()).map_err(ended)?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(ended)?;
        Ok(line.trim_end().to_owned())
    }

    /// Asks all rounds of a course.
    ///
    /// # Errors
    /// If the oracle ended.
    pub fn answers(&mut self, course: &Course) -> Result<Vec<String>, String> {
        let mut questions = course.names.clone();
        for step in &course.steps {
            questions += &step.question;
            questions.push('\n');
        }
        questions += "F\n";
        let ended = |error: std::io::Error| format!("the oracle ended: {error}");
        let input = self.input.as_mut().ok_or("the oracle was closed")?;
        input.write_all(questions.as_bytes()).and_then(|()| input.flush()).map_err(ended)?;
        let answers: Result<Vec<_>, _> = self.output.by_ref().lines().take(course.steps.len()).collect();
        let answers = answers.map_err(ended)?;
        if answers.len() == course.steps.len() { Ok(answers) } else { Err("the oracle ended".to_owned()) }
    }

    /// The bytes of each round of a course, as Kafka's classes write them: for each member
    /// `number/metadata/assignment`, in hexadecimal.
    ///
    /// # Errors
    /// If the oracle ended.
    pub fn bytes(&mut self, course: &Course) -> Result<Vec<String>, String> {
        let mut names = course.names.clone();
        let ask = |step: &Step| self.ask(&format!("{}{}\nB\n", std::mem::take(&mut names), step.question));
        course.steps.iter().map(ask).collect()
    }

    /// Times the second of two rounds that are computed in turn; also says what it came to: items
    /// assigned, items revoked, the delay.
    ///
    /// # Errors
    /// If the oracle ended.
    pub fn time(&mut self, questions: &str, seconds: u32) -> Result<(std::time::Duration, String), String> {
        let line = self.ask(&format!("{questions}T {seconds}\n"))?;
        let (nanos, outcome) = line.split_once(' ').ok_or("the oracle ended")?;
        let nanos = nanos.parse().map_err(|_| format!("the oracle says {line}"))?;
        Ok((std::time::Duration::from_nanos(nanos), outcome.to_owned()))
    }

    /// Asks all rounds of a course and compares the answers.
    ///
    /// # Errors
    /// If the oracle ended.
    pub fn first_difference(&mut self, course: &Course) -> Result<Option<Difference>, String> {
        let answers = self.answers(course)?;
        let step = answers.iter().zip(&course.steps).position(|(kafka, ours)| *kafka != ours.answer);
        Ok(step.map(|step| Difference { step, kafka: answers[step].clone() }))
    }
}

impl Drop for Kafka {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

/// The versions that are compared, as `tests/oracle/versions` lists them.
pub fn versions() -> impl Iterator<Item = &'static str> {
    include_str!("../../oracle/versions").split_whitespace()
}

/// What a version's leader does, by the table of versions.
///
/// # Panics
/// If the table does not know a version of the oracle.
pub fn rules(version: &str) -> WorkerRules {
    let parsed = KafkaVersion::parse(version).unwrap_or_else(|wrong| panic!("{wrong}"));
    parsed.version.rules()
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
