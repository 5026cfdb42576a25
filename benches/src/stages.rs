//! Where Pellucid's time went, by its own account (`pellucid render --json`).
use crate::error::BenchError;
use serde::Deserialize;

/// The report's parts that are shown.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Stages {
    /// From the process's first line to the finished report.
    pub total_ms: f64,
    /// Steps by when they began; some run beside others.
    pub stages: Vec<Stage>,
    /// What drew.
    pub adapter: Adapter,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Stage {
    /// What was done.
    pub name: String,
    /// When it began.
    pub start_ms: f64,
    /// How long it took.
    pub ms: f64,
}

/// What drew.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Adapter {
    /// Its name.
    pub name: String,
    /// Its driver with version.
    pub driver: String,
}

impl Stages {
    /// Reads a report.
    pub fn parse(json: &[u8]) -> Result<Self, BenchError> {
        serde_json::from_slice(json).map_err(|error| BenchError::Report(error.to_string()))
    }

    /// The report with the median total; an empty one of none.
    pub fn middle(mut reports: Vec<Self>) -> Self {
        reports.sort_by(|a, b| a.total_ms.total_cmp(&b.total_ms));
        let half = reports.len() / 2;
        reports.into_iter().nth(half).unwrap_or_else(|| Self {
            total_ms: 0.0,
            stages: Vec::new(),
            adapter: Adapter { name: String::new(), driver: String::new() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_and_the_middle_one_taken() {
        let report = |total: u32| {
            let json = format!(
                r#"{{"schema":1,"total_ms":{total}.5,"more":[],
                "adapter":{{"name":"a","driver":"b","kind":"c"}},
                "stages":[{{"name":"draw","start_ms":1.0,"ms":2.0}}]}}"#
            );
            Stages::parse(json.as_bytes()).unwrap()
        };
        let middle = Stages::middle(vec![report(9), report(1), report(5)]);
        assert!((middle.total_ms - 5.5).abs() < 1e-12);
        assert_eq!(middle.stages[0].name, "draw");
        assert!(Stages::parse(b"{}").is_err());
    }
}
