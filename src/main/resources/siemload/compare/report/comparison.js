"use strict";

/* Builds the page of one experiment or of a suite: the sections of the report, and the charts. Every text is inserted as text. */
(() => {
  const {data, places, el, whole, short, plural, how, note, table, pairs, chart, choice, chosen, report, drawFromNowOn} = elements;
  const {cells, words, subjects, median, shown, colour} = comparisonCharts;
  const {metrics, named, decisive} = comparisonKinds;
  const SIGNS = {BETTER: ["✓", "better", "good"], WORSE: ["✗", "worse", "bad"], SAME: ["=", "the same", ""], UNCLEAR: ["?", "not decided", ""]};
  const MOST_ROWS = 40;

  const percent = ratio => short(100 * ratio) + " %";
  const joined = list => list.length < 2 ? list.join("") : list.slice(0, -1).join(", ") + " and " + list[list.length - 1];

  // ---- side by side --------------------------------------------------------------------------------------------------

  function ratioCell(verdict) {
    if (!verdict) {
      return "–";
    }
    const [sign, title, kind] = SIGNS[verdict.decision.verdict];
    const {estimate, low, high} = verdict.decision.ratio;
    return el("span", {}, short(estimate), el("small", {class: "factor"}, `(${short(low)}–${short(high)})`), " ", el("span", {class: "sign " + kind, role: "img", "aria-label": title}, sign));
  }

  function sideBySide(one, metric) {
    const candidates = metric === decisive(one) && one.withheld.length === 0 ? cells(one).filter(cell => cell !== one.experiment.baseline) : [];
    return table(words(one, metric).title + " of all variants",
      [["", "text"], ...cells(one).map(cell => [cell, ""]), ...candidates.map(cell => [cell + " / " + one.experiment.baseline, ""])],
      subjects(one, metric).map(subject => [subject, ...cells(one).map(cell => shown(one, metric, median(one, subject, metric, cell))),
        ...candidates.map(cell => ratioCell(one.verdicts.find(verdict => verdict.subject === subject && verdict.candidate === cell)))]));
  }

  function sideBySideSection(one) {
    const all = metrics(one);
    const place = el("div");
    const show = metric => place.replaceChildren(sideBySide(one, metric));
    if (all.length === 0) {
      return [note("Left out: no valid run has the metric " + decisive(one) + ".")];
    }
    show(all[0]);
    const few = one.verdicts.some(verdict => verdict.decision.pairs < 6);
    return [how((all.length === 1 ? "Of " + words(one, all[0]).title + ": medians" : "Medians") + " of the valid runs of each variant"
      + (one.verdicts.length === 0 ? "." : "; then candidate / baseline with " + (few ? "the range of the pairs" : "its 95 % interval") + ": below 1 is "
      + (words(one, decisive(one)).moreIsBetter ? "worse" : "better") + ".")), choice("Show", named(one, all), show), place];
  }

  function forestSection(one, id) {
    const found = one.verdicts.slice(0, MOST_ROWS);
    if (found.length === 0) {
      return [];
    }
    const few = found.some(verdict => verdict.decision.pairs < 6);
    return [how("Candidate / baseline, " + (words(one, decisive(one)).moreIsBetter ? "better to the right" : "better to the left")
      + ". Bars are 95 % intervals" + (few ? " (with fewer than six pairs, the range of the pairs)" : "") + "; the band has the changes that do not matter, "
      + percent(one.experiment.smallest) + " either way."
      + (one.verdicts.length > MOST_ROWS ? " The chart shows the first " + MOST_ROWS + " of " + one.verdicts.length + " verdicts." : "")),
      chart(id + "-forest", "Forest plot: candidate / baseline of each verdict", look => comparisonCharts.forest(one, found, look), 92 + 26 * found.length)];
  }

  // ---- evidence ------------------------------------------------------------------------------------------------------

  function runsSection(one, id) {
    const names = subjects(one, decisive(one));
    if (names.length === 0) {
      return [note("Left out: no valid run has the metric " + decisive(one) + ".")];
    }
    const options = names.length > 1 ? [["", "all, each relative to its median"], ...names.map(name => [name, name])] : names.map(name => [name, name]);
    return [how("A dot is one run. If all dots rise or fall together, the machine drifts, which does not affect pairs; if the dots of one variant are apart from the others, the variant differs."
      + (one.runs.some(run => run.invalid.length > 0) ? " A dashed line marks a run that does not count." : "")),
      chosen(id + "-runs", "Show", "Scatter chart: every run in the order of execution", options, (subject, look) => comparisonCharts.runs(one, subject, look))];
  }

  function plansSection(one) {
    const plans = Object.entries(one.plans);
    const shapes = (plan, cell) => (plan[cell] || []).join(" or ");
    const different = plans.filter(([, plan]) => new Set(cells(one).map(cell => shapes(plan, cell)).filter(shape => shape !== "")).size > 1
      || Object.values(plan).some(found => found.length > 1));
    const known = cells(one).filter(cell => plans.some(([, plan]) => shapes(plan, cell) !== ""));
    const unknown = cells(one).filter(cell => !known.includes(cell));
    if (different.length === 0) {
      return [how((known.length === 0 ? "No run has plans." : unknown.length === 0 ? "All variants had the same plans." : "The plans of " + joined(known) + " were the same.")
        + (known.length > 0 && unknown.length > 0 ? " No valid run of " + joined(unknown) + " has a plan." : ""))];
    }
    return [how("The plans that were not the same in all runs."),
      table("plans", [["", "text"], ...cells(one).map(cell => [cell, "text wrap"])],
        different.map(([search, plan]) => [search, ...cells(one).map(cell => shapes(plan, cell) || "–")]))];
  }

  /** Anybody may have written the file that names the directories, so only directories below the experiment become links, if they have reports. */
  function reportOf(one, run) {
    const steps = run.directory.split("/");
    const below = one.reports && steps.every(step => step !== "" && step !== "." && step !== ".." && !/[\\\p{Cc}\p{Cs}]/u.test(step));
    const path = [...one.path === "" ? [] : one.path.split("/"), ...steps, "report.html"];
    return below ? el("a", {href: path.map(encodeURIComponent).join("/")}, "report") : el("span", {class: "mono"}, run.directory);
  }

  /** The positions of the runs, each once; a run is listed again for every cell that has figures of the run. */
  const positions = one => comparisonCharts.unique(one.runs.map(run => run.position));

  function measuredSection(one) {
    const {experiment} = one;
    const letters = experiment.variants.map((unused, index) => String.fromCharCode(65 + index % 26));
    const letter = run => letters[cells(one).indexOf(run.variant)] || "?";
    const order = positions(one).map(position => one.runs.filter(run => run.position === position).map(letter).join("")).join(" ");
    const pairsSeen = Math.max(0, ...one.verdicts.map(verdict => verdict.decision.pairs));
    const facts = {
      "variants": experiment.variants.map((cell, index) => letters[index] + " = " + cell.label).join(", "),
      "order of the runs": order + " (seed " + experiment.seed + ")",
      "pairs": "at most " + pairsSeen + " from " + experiment.repeats + " blocks; runs of one block are compared with each other",
      "deciding metric": words(one, decisive(one)).title + " (" + decisive(one) + ")",
      "smallest change that matters": percent(experiment.smallest) + ", up or down",
      "interval": "median of the ratios of the pairs, 95 %, BCa bootstrap over the pairs, widened for few pairs",
      "decided": "interval on one side of 1, sign-flip p-value below 0.05 after Holm, and at least the smallest change that matters",
      ...Object.fromEntries(Object.entries(experiment.settings).map(([key, value]) => ["setting: " + key, value]))};
    return [pairs("how it was measured", "what", "how", facts),
      table("runs", [["run", ""], ["block", ""], ["variant", "text"], ["seconds", ""], ["", "text"], ["counts", "text wrap"]],
        one.runs.map(run => [String(run.position), String(run.block), el("span", {}, el("span", {class: "dot", style: "background:" + colour(one, run.variant)}), run.variant),
          whole(run.seconds), reportOf(one, run),
          run.invalid.length > 0 ? "no: " + run.invalid.join("; ") : run.gaveOut.length > 0 ? "yes, saturated; bottleneck: " + run.gaveOut[0] : "yes"]))];
  }

  // ---- the page ----------------------------------------------------------------------------------------------------

  /** The function for a chart's name, for the member with this number. */
  const of = make => number => make(data.members[number], "m" + number);

  function kind(one, id) {
    const [title, content] = comparisonKinds.of(one, id) || [];
    return title && [el("h3", {}, title), content];
  }

  const isSuite = data.members.length !== 1 || data.members[0].path !== "";
  places.head.append(el("p", {class: "over"}, "siemload · " + (isSuite ? "experiments " : "experiment ") + data.title), el("h1", {}, data.question),
    ...data.members.map(one => el("p", {class: "variant"}, (isSuite ? one.experiment.name + ": " : "") + words(one, decisive(one)).title + " · smallest change that matters: "
      + percent(one.experiment.smallest) + " · " + plural(positions(one).length, "run", "runs") + " of " + joined(cells(one)) + " (" + one.axis + ")")));
  report(data.sections, {kind: of(kind), runs: of(runsSection), plans: of(plansSection), measured: of(measuredSection),
    variants: of((one, id) => [el("h3", {}, "All variants side by side"), ...forestSection(one, id), ...sideBySideSection(one)])});
  places.foot.append(el("p", {}, isSuite ? "The directory of each experiment has its comparison.json and summary.md."
    : "The same directory has comparison.json and summary.md; ./siemload compare makes both files again from the runs."));
  drawFromNowOn();
})();
