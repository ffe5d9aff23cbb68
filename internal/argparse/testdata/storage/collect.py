"""Joins cases and outcomes of conformance/java/Oracle.java into lines for TestStorage.

collect.py CASES COLUMNS OUTDIR [COLUMNS OUTDIR]...: every case once, with the widths in turn; COLUMNS is - where it was not set.
"""
import sys

def escape(s):
    return s.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")

runs = list(zip(sys.argv[2::2], sys.argv[3::2]))
for i, line in enumerate(open(sys.argv[1], newline="\n")):
    words = line.rstrip("\n").split("\t")
    columns, directory = runs[i % len(runs)]
    name = f"{directory}/{words[0]}"
    out, err, rc = (open(name + x, newline="").read() for x in (".out", ".err", ".rc"))
    if out.startswith("usage:"):
        outcome = ["help", escape(out), rc]
    elif err.startswith("usage:"):
        outcome = ["err", escape(err), rc]
    elif "\tat net.sourceforge.argparse4j" in err[:300]:
        outcome = ["crash", err.split("\n")[0].removeprefix('Exception in thread "main" '), rc]
    else:
        outcome = ["run"]
    print("\t".join(["T", columns] + [escape(w) for w in words[1:]]))
    print("\t".join(outcome))
