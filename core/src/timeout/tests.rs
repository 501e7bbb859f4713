//! What must hold for any samples.

use super::censored::Known;
use super::normal::Z95;
use super::testing::{Draws, secs};
use super::*;
use crate::model::{self, WorkerSettings};
use crate::text::Files;
use crate::units::Duration;

fn took(times: &[Duration]) -> Vec<Sample> {
    times.iter().copied().map(Sample::Took).collect()
}

fn bound(samples: &[Sample]) -> Duration {
    estimate(samples).unwrap().bound
}

/// Sets of samples of one kind, of 5 to 40, some with times that were not waited out.
fn drawn(seed: u64) -> impl Iterator<Item = Vec<Sample>> {
    let mut draws = Draws::new(seed);
    (0..120_usize).filter_map(move |number| {
        let count = 5 + number % 36;
        let mut samples = took(&draws.times(count, |draws| draws.log_normal(0.4)));
        if number % 3 == 0 {
            let over = draws.times(1 + count / 12, |draws| draws.log_normal(0.6));
            samples.extend(over.into_iter().map(Sample::Over));
        }
        estimate(&samples).is_ok().then_some(samples)
    })
}

#[test]
fn fewer_than_five_give_no_estimate() {
    assert_eq!(estimate(&took(&secs(&[4.0; 4]))), Err(NoEstimate::TooFew { seen: 4, over: 0 }));
    assert_eq!(estimate(&[]), Err(NoEstimate::TooFew { seen: 0, over: 0 }));
    let over = [took(&secs(&[4.0; 4])), vec![Sample::Over(Duration::from_secs(60)); 3]].concat();
    assert_eq!(estimate(&over), Err(NoEstimate::TooFew { seen: 4, over: 3 }));
}

#[test]
fn five_give_a_weak_estimate_that_is_capped() {
    let some = estimate(&took(&secs(&[4.0, 6.0, 9.0, 13.0, 20.0]))).unwrap();
    assert!(some.weak && some.capped, "{some:?}");
    assert_eq!((some.bound, some.longest, some.median), (secs(&[100.0])[0], secs(&[20.0])[0], secs(&[9.0])[0]));
    assert!(some.log_normal > some.bound);
    let calm = estimate(&took(&secs(&[4.0, 4.1, 4.2, 4.3, 4.4]))).unwrap();
    assert!(!calm.capped);
    assert_eq!(calm.bound, Duration::from_millis(6_600), "1.5 times the longest");
}

#[test]
fn the_log_normal_bound_is_the_one_that_r_gives() {
    // R: exp(mean(log(x)) + K.factor(12, alpha = .05, P = .95) * sd(log(x))), in SciPy's digits:
    // n=12; l=log(x); exp(l.mean() + nct.ppf(.95,n-1,norm.ppf(.95)*n**.5)/n**.5 * l.std(ddof=1))
    let times = [8.1, 9.4, 7.7, 12.0, 10.3, 8.8, 9.9, 15.2, 8.4, 11.1, 9.0, 10.7];
    let some = estimate(&took(&secs(&times))).unwrap();
    assert!((some.log_normal.as_secs_f64() - LOG_NORMAL).abs() < 1e-5, "{:?}", some.log_normal);
}

#[test]
fn from_59_on_the_order_statistic_is_given_as_well() {
    let mut draws = Draws::new(1);
    let place = |count: usize, draws: &mut Draws| {
        let times = draws.sorted(count, |draws| draws.log_normal(0.3));
        let found = estimate(&took(&times)).unwrap().order_statistic?;
        Some(count - times.iter().position(|time| *time == found).unwrap())
    };
    // The numbers of S. S. Wilks: recorded from SciPy's binom.cdf(s - 1, n, .05) <= .05.
    for (count, from_the_top) in
        [(58, None), (59, Some(1)), (92, Some(1)), (93, Some(2)), (124, Some(3)), (208, Some(6)), (500, Some(17))]
    {
        assert_eq!(place(count, &mut draws), from_the_top, "n = {count}");
    }
}

#[test]
fn an_order_statistic_that_was_not_waited_out_is_none() {
    let times = Draws::new(1).times(93, |draws| draws.log_normal(0.3));
    let with = |over| estimate(&[took(&times), vec![Sample::Over(Duration::from_secs(90)); over]].concat()).unwrap();
    assert!(with(0).order_statistic < with(1).order_statistic);
    assert_eq!(with(2).order_statistic, None);
}

#[test]
fn two_kinds_get_no_common_number() {
    let Err(NoEstimate::TwoKinds([below, above])) =
        estimate(&took(&secs(&[4.0, 4.2, 4.4, 4.8, 5.1, 21.0, 23.0, 26.0])))
    else {
        panic!("two kinds are taken for one")
    };
    assert_eq!((below.count, above.count), (5, 3));
}

#[test]
fn where_more_than_a_quarter_was_given_up_there_is_no_estimate() {
    let times = took(&secs(&[4.0, 5.0, 6.0, 7.0, 8.0, 9.0]));
    let with = |over| estimate(&[times.clone(), vec![Sample::Over(Duration::from_secs(9)); over]].concat());
    assert!(with(2).is_ok());
    assert_eq!(with(3), Err(NoEstimate::TooManyOver { seen: 6, over: 3 }));
}

#[test]
fn one_more_that_was_given_up_never_shortens_the_answer() {
    let mut draws = Draws::new(11);
    for samples in drawn(2) {
        let over = Sample::Over(draws.times(1, |draws| draws.log_normal(1.0))[0]);
        let more = [samples.clone(), vec![over]].concat();
        match estimate(&more) {
            Ok(more) => {
                let before = estimate(&samples).unwrap();
                assert!(more.bound >= before.bound, "{over:?} more than {samples:?}");
                assert!(more.log_normal >= before.log_normal && more.longest >= before.longest);
            }
            Err(none) => assert!(matches!(none, NoEstimate::TooManyOver { .. }), "{none:?}"),
        }
    }
}

#[test]
fn a_time_given_up_after_counts_at_least_as_if_it_had_ended_then() {
    let times = secs(&[8.1, 9.4, 7.7, 12.0, 10.3, 8.8, 9.9, 8.4, 11.1, 9.0, 10.7]);
    let late = Duration::from_secs(15);
    let ended = [took(&times), vec![Sample::Took(late)]].concat();
    let given_up = [took(&times), vec![Sample::Over(late)]].concat();
    let log_normal = |samples: &[Sample]| estimate(samples).unwrap().log_normal;
    assert!(log_normal(&given_up) > log_normal(&ended));
    assert!(log_normal(&ended) > log_normal(&took(&times)));
    assert_eq!(bound(&given_up), late * 3 / 2);
}

#[test]
fn a_slow_restart_that_had_been_slower_never_shortens_the_answer() {
    let mut draws = Draws::new(12);
    for samples in drawn(3) {
        let logs: Vec<f64> = samples.iter().map(|sample| libm::log(sample.time().as_secs_f64())).collect();
        let mean = Known::of(&logs).mean;
        let before = bound(&samples);
        for (place, sample) in samples.iter().enumerate().filter(|(place, _)| logs[*place] > mean) {
            let Sample::Took(time) = *sample else { continue };
            if samples.iter().any(|sample| sample.is_over()) {
                continue;
            }
            let mut slower = samples.clone();
            let factor = 1.0 + draws.log_normal(0.5) / 20.0;
            slower[place] = Sample::Took(Duration::from_secs_f64(time.as_secs_f64() * factor));
            // It may come to stand apart, and then no number is given.
            if let Ok(after) = estimate(&slower) {
                assert!(after.bound >= before, "{time:?} times {factor} in {samples:?}");
            }
        }
    }
}

#[test]
fn twice_as_slow_is_twice_as_long() {
    for samples in drawn(4) {
        let scaled: Vec<Sample> = samples
            .iter()
            .map(|sample| match sample {
                Sample::Took(time) => Sample::Took(*time * 7),
                Sample::Over(time) => Sample::Over(*time * 7),
            })
            .collect();
        let (once, seven) = (bound(&samples).as_micros() * 7, bound(&scaled).as_micros());
        assert!((once - seven).abs() <= 7, "{once} {seven} of {samples:?}");
    }
}

#[test]
fn the_order_of_the_samples_does_not_matter() {
    for mut samples in drawn(5) {
        let before = estimate(&samples);
        samples.reverse();
        assert_eq!(estimate(&samples), before);
    }
}

/// In how many of 100 draws of so many times the bound lies above the 95th percentile.
fn holds(count: usize, percentile: f64, draw: impl Fn(&mut Draws) -> f64 + Copy) -> (f64, f64) {
    let mut draws = Draws::new(count as u64);
    let (mut all, mut log_normal, mut given) = (0, 0, 0_u32);
    for _ in 0..1_000 {
        if let Ok(some) = estimate(&took(&draws.times(count, draw))) {
            given += 1;
            all += u32::from(some.bound.as_secs_f64() >= percentile);
            log_normal += u32::from(some.log_normal.as_secs_f64() >= percentile);
        }
    }
    assert!(given >= 980, "{given} of 1,000 were answered");
    let percent = |part: u32| 100.0 * f64::from(part) / f64::from(given);
    (percent(all), percent(log_normal))
}

#[test]
fn bounds_hold_in_95_of_100_log_normal_cases() {
    let percentile = 10.0 * libm::exp(0.4 * Z95);
    for count in [5, 12, 30] {
        let (bound, log_normal) = holds(count, percentile, |draws| draws.log_normal(0.4));
        assert!((92.5..=97.5).contains(&log_normal), "n = {count}: {log_normal}");
        assert!(bound >= log_normal - 1.0 && bound >= 92.0, "n = {count}: {bound}");
    }
}

#[test]
fn bounds_hold_in_nine_of_ten_gamma_cases_at_least() {
    // The 95th percentile of the sum of four exponential times of 2.5 s; SciPy: gamma.ppf(.95, 4) * 2.5.
    for count in [5, 12, 30] {
        let (bound, _) = holds(count, 19.384_1, |draws| draws.gamma(4));
        assert!(bound >= 90.0, "n = {count}: {bound}");
    }
}

#[test]
fn bounds_hold_where_one_in_ten_was_given_up() {
    let (percentile, limit) = (10.0 * libm::exp(0.4 * Z95), 10.0 * libm::exp(0.4 * 1.281_551_6));
    let mut draws = Draws::new(6);
    for count in [10, 20, 40] {
        let (mut holds, mut given) = (0, 0);
        for _ in 0..400 {
            let samples: Vec<Sample> = draws
                .times(count, |draws| draws.log_normal(0.4))
                .into_iter()
                .map(
                    |time| {
                        if time.as_secs_f64() > limit { Sample::Over(secs(&[limit])[0]) } else { Sample::Took(time) }
                    },
                )
                .collect();
            if let Ok(some) = estimate(&samples) {
                given += 1;
                holds += usize::from(some.log_normal.as_secs_f64() >= percentile);
            }
        }
        assert!(given > 350 && holds * 100 >= given * 92, "n = {count}: {holds} of {given}");
    }
}

#[test]
fn confidence_is_what_the_textbooks_print() {
    assert_eq!(confidence(12).to_string(), "46 %");
    assert!(confidence(58).0 < 0.95 && confidence(59).0 >= 0.95);
    assert_eq!(none_slower(20, 6).to_string(), "76.9 %");
    assert_eq!(none_slower(5, 20).to_string(), "20 %");
}

#[test]
fn kafkas_defaults_are_those_of_a_description_that_sets_nothing() {
    let bare = "version: 1\nkafka: 4.3.1\nworkers: 1\nconnectors: {a: 1}\n";
    let files: Files = [("cluster.yaml", bare)].into_iter().collect();
    let (cluster, _) = model::read(&files, "cluster.yaml").unwrap();
    assert_eq!(cluster.workers[0].before.settings, WorkerSettings::KAFKAS_DEFAULT);
}

#[test]
fn a_step_waits_for_the_return_the_delay_and_a_hand_over() {
    let text = "version: 1\nkafka: 4.3.1\nworkers: 2\nconnectors: {a: {tasks: 2, start: 2s}}\n\
                restart: {stop: 1s, start: 18s..25s}\nsettings: {scheduled.rebalance.max.delay.ms: 60000}\n";
    let files: Files = [("cluster.yaml", text)].into_iter().collect();
    let (cluster, _) = model::read(&files, "cluster.yaml").unwrap();
    let limits = StepLimits::of_worker(&cluster, model::WorkerId(1)).unwrap();
    assert_eq!(limits.back.basis.to_string(), "stop 2 s + start 38 s + its round 3 s");
    assert_eq!(limits.running.basis.to_string(), "the delay 1 min + a hand-over 8 s");
    assert_eq!(limits.step.time, Duration::from_secs(43 + 60 + 8));
    assert_eq!(StepLimits::of_worker(&cluster, model::WorkerId(2)), None);
}

#[test]
fn many_times_that_were_given_up_are_answered_soon() {
    let mut draws = Draws::new(8);
    let mut samples = took(&draws.times(300, |draws| draws.log_normal(0.4)));
    samples.extend(draws.times(100, |draws| draws.log_normal(0.4)).into_iter().map(Sample::Over));
    assert_eq!(estimate(&samples).unwrap().over, 100);
}

const LOG_NORMAL: f64 = 16.615_981;
