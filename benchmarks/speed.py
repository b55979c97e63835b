"""Measure arcloom against an arc-dsl checkout on the checkout's solvers, and write the report as JSON."""

import argparse
import json
from pathlib import Path

from arcloom.bench import bench
from arcloom.bench.report_tables import as_json


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="a folder with dsl.py and solvers.py")
    parser.add_argument("--data", default="arcagi:training")
    parser.add_argument("--runs", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("speed.json"))
    args = parser.parse_args()
    report = bench(args.checkout / "solvers.py", args.data, args.checkout, runs=args.runs, seed=args.seed)
    args.out.write_text(json.dumps(as_json(report), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
