"use strict";

/* Builds the page of one experiment, or of a suite of them, from its data. Every text goes in as text, never as markup. */
(() => {
  const {data, places, el, whole, short, plural, how, note, scrolled, table, pairs, fold, chart, choice, chosen, drawFromNowOn} = elements;
  const {cells, words, subjects, series, median, shown, colour} = comparisonCharts;
  const {metrics, named, decisive} = comparisonKinds;
  const MARKS = {BETTER: ["✓", "better", "good"], WORSE: ["✗", "worse", "bad"], SAME: ["=", "the same", ""], UNCLEAR: ["?", "not decided", ""]};
  const CLAIMS = {CONFIRMED: ["confirmed", "good"], CONTRADICTED: ["contradicted", "bad"], NOT_DECIDABLE: ["not decidable", ""]};
  const MOST_SENTENCES = 8;
  const MOST_VERDICTS = 12;
  const MOST_ROWS = 40;
  const OTHERS = "verdicts among the other variants";
  const sections = [];

  const heading = (level, ...content) => el("h" + level, {}, ...content);
  const percent = ratio => short(100 * ratio) + " %";
  const joined = list => list.length < 2 ? list.join("") : list.slice(0, -1).join(", ") + " and " + list[list.length - 1];

  // ---- what is decided -----------------------------------------------------------------------------------------------

  const withBaseline = one => one.verdicts.filter(verdict => verdict.baseline === one.experiment.baseline);

  function counts(one) {
    const found = withBaseline(one);
    return Object.keys(MARKS).map(name => [found.filter(verdict => verdict.decision.verdict === name).length, MARKS[name][1]])
      .filter(([count]) => count > 0).map(([count, title]) => count + " " + title).join(", ");
  }

  /** A number stays with its percent sign. */
  const unbroken = text => text.replace(/ %/g, "\u00a0%");

  const dashed = text => text.replace("-", "–");

  function sign(name) {
    const [sign, title, kind] = MARKS[name];
    return el("span", {class: "sign " + kind, role: "img", "aria-label": title}, sign);
  }

  /** The sign says the word already to those who hear the page. */
  const verdictCell = row => [el("span", {class: "sign " + MARKS[row.kind][2], "aria-hidden": "true"}, MARKS[row.kind][0]), " " + unbroken(row.words),
    row.reason > 0 && el("sup", {}, String(row.reason))];

  /** Rows of verdicts; of several baselines, the variant names them. */
  const verdictRows = (one, name, rows) => table(name, [["search", "text"], ["variant", "text"], ["ratio", ""], [unbroken("95 % interval"), ""], ["verdict", "text"]],
    rows.map(row => [row.subject, row.candidate + (name === OTHERS ? " / " + row.baseline : ""), row.ratio, dashed(row.interval), el("span", {}, verdictCell(row))]));

  /** One table; what is beyond the first rows is folded away. Below it stands each reason once. */
  function verdictTable(one, name, told) {
    return [verdictRows(one, name, told.rows.slice(0, MOST_VERDICTS)),
      told.rows.length > MOST_VERDICTS && fold(plural(told.rows.length - MOST_VERDICTS, "more verdict", "more verdicts"),
        verdictRows(one, name === OTHERS ? name : "more " + name, told.rows.slice(MOST_VERDICTS))),
      told.reasons.length > 0 && el("ol", {class: "reasons"}, told.reasons.map(reason => el("li", {}, unbroken(reason)))),
      told.notes.map(text => el("p", {class: "measured"}, unbroken(text) + "."))];
  }

  function panel(kind, name, title, ...content) {
    return el("section", {class: "panel " + kind, "aria-label": name, style: "margin-top:0"}, el("h2", {}, title), content);
  }

  function verdictPanel(one) {
    if (one.withheld.length > 0) {
      return panel("bad", "verdict", "No verdict is given", el("ul", {}, one.withheld.map(reason =>
        el("li", {}, el("span", {class: "mark bad", "aria-hidden": "true"}, "!"), reason))),
        one.differences.length > 0 && el("p", {class: "measured"}, "Runs that differ in more than " + one.axis + " answer another question. "
          + "If you know that this does not matter: ./siemload compare DIR --accept-differences."));
    }
    const found = withBaseline(one);
    if (found.length === 0) {
      return panel("bad", "verdict", "Nothing can be compared", el("p", {}, "No variant has a pair with " + one.experiment.baseline + ": in no block of runs do both have the metric " + decisive(one) + "."));
    }
    const decided = found.some(verdict => verdict.decision.verdict !== "UNCLEAR");
    return panel("", "verdict", (decided ? "" : "Nothing decided: ") + counts(one) + ", against " + one.experiment.baseline,
      el("p", {class: "measured"}, one.ratios + "."),
      verdictTable(one, "verdicts", one.told),
      one.others.rows.length > 0 && fold(plural(one.others.rows.length, "verdict", "verdicts") + " among the other variants", verdictTable(one, OTHERS, one.others)));
  }

  function saturationPanel(one) {
    return one.saturated.length === 0 ? [] : [panel("bad", "saturation", plural(one.saturated.length, "variant", "variants") + " did not keep up",
      el("ul", {}, one.saturated.map(sentence => el("li", {}, el("span", {class: "mark bad", "aria-hidden": "true"}, "!"), sentence))),
      el("p", {class: "measured"}, "Saturated runs count: their numbers say how the database does when it is overloaded."))];
  }

  function problemsPanel(one) {
    const invalid = one.runs.filter(run => run.invalid.length > 0);
    const missing = one.experiment.variants.length * one.experiment.repeats - one.runs.length;
    const accepted = one.withheld.length === 0 ? one.differences : [];
    const disturbed = one.disturbed || [];
    if (invalid.length === 0 && disturbed.length === 0 && missing <= 0 && accepted.length === 0 && one.gaps.length === 0) {
      return [];
    }
    const item = text => el("li", {}, el("span", {class: "mark bad", "aria-hidden": "true"}, "!"), text);
    const onlyDisturbed = invalid.length === 0 && missing <= 0 && accepted.length === 0 && one.gaps.length === 0;
    return [panel(onlyDisturbed ? "warn" : "bad", onlyDisturbed ? "disturbed runs" : "runs that do not count", joined([
      ...invalid.length > 0 ? [plural(invalid.length, "run does", "runs do") + " not count"] : [],
      ...disturbed.length > 0 ? ["some runs were disturbed"] : [],
      ...missing > 0 ? [plural(missing, "run is", "runs are") + " missing"] : [],
      ...accepted.length > 0 ? [plural(accepted.length, "difference was", "differences were") + " accepted"] : [],
      ...one.gaps.length > 0 ? ["not everything could be compared"] : []]),
      el("ul", {}, invalid.slice(0, MOST_SENTENCES).map(run => item("run " + run.position + " (" + run.variant + "): " + run.invalid.join("; "))),
        invalid.length > MOST_SENTENCES && item("and " + (invalid.length - MOST_SENTENCES) + " more"),
        disturbed.map(item),
        accepted.map(difference => item(difference.sentence)), one.gaps.map(item)))];
  }

  function claimPanel(one) {
    return one.claims.map(claim => {
      const [title, kind] = CLAIMS[claim.outcome];
      const spoken = claim.spoken[0].toUpperCase() + claim.spoken.slice(1);
      return panel(kind, claim.spoken, spoken + ": " + title, el("p", {}, "It says: ", el("q", {}, claim.source.says)),
        el("p", {class: "measured"}, "Here: " + claim.explanation + "."));
    });
  }

  // ---- side by side --------------------------------------------------------------------------------------------------

  const ratioCell = row => row === undefined ? "–"
    : el("span", {title: row.words}, row.ratio, el("small", {class: "factor"}, "(" + dashed(row.interval) + ")"), " ", sign(row.kind));

  function sideBySide(one, metric) {
    const verdicts = metric === decisive(one) && one.withheld.length === 0;
    const candidates = verdicts ? cells(one).filter(cell => cell !== one.experiment.baseline) : [];
    return table(words(one, metric).title + " of all variants",
      [["", "text"], ...cells(one).map(cell => [cell, ""]), ...candidates.map(cell => [cell + " / " + one.experiment.baseline, ""])],
      subjects(one, metric).map(subject => [subject, ...cells(one).map(cell => shown(one, metric, median(one, subject, metric, cell))),
        ...candidates.map(cell => ratioCell(one.told.rows.find(row => row.subject === subject && row.candidate === cell)))]));
  }

  function sideBySideSection(one, id) {
    const all = metrics(one);
    const place = el("div");
    const show = metric => place.replaceChildren(sideBySide(one, metric));
    if (all.length === 0) {
      return [note("Left out: no valid run has the metric " + decisive(one) + ".")];
    }
    show(all[0]);
    const few = withBaseline(one).some(verdict => verdict.decision.pairs < 6);
    return [how((all.length === 1 ? "Of " + words(one, all[0]).title + ": medians" : "Medians") + " of the valid runs of each variant"
      + (withBaseline(one).length === 0 ? "." : "; then candidate / baseline with " + (few ? "the range of what was seen" : "its 95 % interval") + ": below 1 is "
      + (words(one, decisive(one)).moreIsBetter ? "worse" : "better") + ".")), choice("Show", named(one, all), show), place];
  }

  function forestSection(one, id) {
    const found = withBaseline(one).slice(0, MOST_ROWS);
    if (found.length === 0) {
      return [];
    }
    const few = found.some(verdict => verdict.decision.pairs < 6);
    return [how("Candidate / baseline, " + (words(one, decisive(one)).moreIsBetter ? "better to the right" : "better to the left")
      + ". Bars are 95 % intervals" + (few ? " (with fewer than six pairs the range of what was seen)" : "") + "; the band is what does not matter, "
      + percent(one.experiment.smallest) + " either way."
      + (withBaseline(one).length > MOST_ROWS ? " The first " + MOST_ROWS + " of " + withBaseline(one).length + "." : "")),
      chart(id + "-forest", "Forest plot: " + counts(one), look => comparisonCharts.forest(one, found, look), 92 + 26 * found.length)];
  }

  // ---- evidence ------------------------------------------------------------------------------------------------------

  function runsSection(one, id) {
    const names = subjects(one, decisive(one));
    if (names.length === 0) {
      return [note("Left out: no valid run has the metric " + decisive(one) + ".")];
    }
    const options = names.length > 1 ? [["", "all, each relative to its median"], ...names.map(name => [name, name])] : names.map(name => [name, name]);
    return [how("A dot is one run. Dots that climb or fall together are drift of the machine, which pairs take out; a variant whose dots lie apart is a difference."
      + (one.runs.some(run => run.invalid.length > 0) ? " A dashed line is a run that does not count." : "")),
      chosen(id + "-runs", "Show", "Scatter chart: every run in the order of execution", options, (subject, look) => comparisonCharts.runs(one, subject, look))];
  }

  function plansSection(one) {
    const shapes = (plan, cell) => (plan.shapes[cell] || []).join(" or ");
    const different = one.plans.filter(plan => new Set(cells(one).map(cell => shapes(plan, cell)).filter(shape => shape !== "")).size > 1
      || Object.values(plan.shapes).some(found => found.length > 1));
    const known = cells(one).filter(cell => one.plans.some(plan => shapes(plan, cell) !== ""));
    const unknown = cells(one).filter(cell => !known.includes(cell));
    if (different.length === 0) {
      return [how((known.length === 0 ? "No run has plans." : unknown.length === 0 ? "All variants had the same plans." : "The plans of " + joined(known) + " were the same.")
        + (known.length > 0 && unknown.length > 0 ? " Of " + joined(unknown) + " none is known: no run of it that counts has one." : ""))];
    }
    return [how("How the server answered, where not all runs did it alike."),
      table("plans", [["", "text"], ...cells(one).map(cell => [cell, "text wrap"])],
        different.map(plan => [plan.search, ...cells(one).map(cell => shapes(plan, cell) || "–")]))];
  }

  function differencesSection(one) {
    const counted = comparisonCharts.unique(one.runs.filter(run => run.invalid.length === 0).map(run => run.position));
    const uncounted = cells(one).filter(cell => one.runs.every(run => run.variant !== cell || run.invalid.length > 0));
    const nothingOf = uncounted.length > 0 && counted.length > 0 ? " Of " + joined(uncounted) + " nothing is known: no run of it counts." : "";
    if (counted.length < 2 || one.differences.length === 0) {
      return [how(counted.length < 2 ? "Nothing was compared: " + (counted.length === 0 ? "no run counts." : "only one run counts.")
        : "Nothing but " + one.axis + ": the environments of the " + counted.length + " runs that count were compared, section by section." + nothingOf)];
    }
    return [how("Besides " + one.axis + ", which was meant to:"), table("differences", [["where", "text"], ["what", "text"], ["values", "text wrap"]],
      one.differences.map(difference => [difference.section, difference.key, difference.values.map(value => value.value + " ("
        + plural(value.runs.length, "run", "runs") + ": " + value.runs.join(", ") + ")").join("; ")]))];
  }

  /** Directories stand in files that anybody may have written: those that do not lie below the experiment are no links, nor are runs without reports. */
  function reportOf(one, run) {
    const steps = run.directory.split("/");
    const below = one.reports && steps.every(step => step !== "" && step !== "." && step !== ".." && !/[\\\p{Cc}\p{Cs}]/u.test(step));
    const path = [...one.path === "" ? [] : one.path.split("/"), ...steps, "report.html"];
    return below ? el("a", {href: path.map(encodeURIComponent).join("/")}, "report") : el("span", {class: "mono"}, run.directory);
  }

  /** A run is there once for each cell whose figures it holds. */
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
      "pairs": pairsSeen + " at most of " + experiment.repeats + " blocks; runs of one block are compared with each other",
      "metric that decides": words(one, decisive(one)).title + " (" + decisive(one) + ")",
      "what matters": percent(experiment.smallest) + ", up or down",
      "interval": "median of the ratios of the pairs, 95 %, BCa bootstrap over the pairs, widened for few of them",
      "decided": "interval on one side of 1, sign-flip p-value below 0.05 after Holm, and at least what matters",
      ...Object.fromEntries(Object.entries(experiment.settings).map(([key, value]) => ["setting: " + key, value]))};
    return [pairs("how it was measured", "what", "how", facts),
      fold(plural(positions(one).length, "run", "runs"), table("runs", [["run", ""], ["block", ""], ["variant", "text"], ["seconds", ""], ["", "text"], ["counts", "text wrap"]],
        one.runs.map(run => [String(run.position), String(run.block), el("span", {}, el("span", {class: "dot", style: "background:" + colour(one, run.variant)}), run.variant),
          whole(run.seconds), reportOf(one, run),
          run.invalid.length > 0 ? "no: " + run.invalid.join("; ") : run.gaveOut.length > 0 ? "yes, saturated: " + run.gaveOut[0] + " gave out" : "yes"])))];
  }

  // ---- pages ---------------------------------------------------------------------------------------------------------

  /** Parts of a member in their order: what its kind shows, then the evidence. */
  function parts(one, id) {
    const kind = comparisonKinds.of(one, id);
    return [
      ...kind ? [["kind", ...kind]] : [],
      ["variants", "All variants side by side", [...forestSection(one, id), ...sideBySideSection(one, id)]],
      ["runs", "Every run", runsSection(one, id)],
      ["plans", "Plans", plansSection(one)],
      ["differences", "What else differed", differencesSection(one)],
      ["measured", "How it was measured", measuredSection(one)]];
  }

  function section(id, title, ...content) {
    sections.push([id, title]);
    return el("section", {"aria-labelledby": id}, el("h2", {id}, title), content);
  }

  /** The verdicts have the whole width; what else must be known first stands beside each other above them. */
  function panels(one) {
    const others = [...saturationPanel(one), ...problemsPanel(one), ...claimPanel(one)];
    return [...others.length > 0 ? [el("div", {class: "verdicts"}, others)] : [], el("div", {class: "verdicts decided"}, verdictPanel(one))];
  }

  const summaryLine = one => "metric: " + words(one, decisive(one)).title + " · what matters: " + percent(one.experiment.smallest) + " · "
    + plural(positions(one).length, "run", "runs") + " of " + joined(cells(one)) + " (" + one.axis + ")";

  /** What variants that have names ran on. */
  const sides = one => one.sides.length === 0 ? [] : [el("ul", {class: "sides"}, one.sides.map(side => el("li", {}, side)))];

  function page(one) {
    places.head.append(
      el("p", {class: "over"}, "siemload · experiment " + one.experiment.name),
      el("h1", {}, one.experiment.question),
      el("p", {class: "variant"}, summaryLine(one)),
      ...sides(one),
      ...panels(one));
    return parts(one, "one").map(([name, title, content]) => section(name, title, content));
  }

  const stands = outcome => el("span", {class: (CLAIMS[outcome][1] || "open") + "-text"}, CLAIMS[outcome][0]);

  /** How each conclusion of the studies stands, and below it what each experiment says of it. */
  function conclusions() {
    return [how("Each conclusion is contradicted by one experiment that does so, and confirmed where all that test it confirm it. Figures are ratios of the metric that decides, with their 95 % intervals."),
      table("conclusions", [["conclusion", "text wrap"], ["stands", "text"], ["figures", "text wrap"]],
        data.conclusions.map(row => [row.whole ? el("strong", {}, row.title) : el("span", {class: "part"}, row.title),
          row.outcome === "" ? row.stands : stands(row.outcome), unbroken(row.figures)]))];
  }

  function overview() {
    return table("overview", [["series", "text"], ["question", "text wrap"], ["verdicts", "text wrap"], ["what the source found", "text"]],
      data.members.map(one => [el("a", {href: "#" + one.experiment.name}, one.experiment.name), one.experiment.question,
        one.withheld.length > 0 ? "withheld" : counts(one) || "–",
        one.claims.length === 0 ? "–" : one.claims.map(claim => el("p", {class: "claim"}, claim.spoken + ": ", stands(claim.outcome)))]));
  }

  function member(one) {
    const id = one.experiment.name.replace(/[^A-Za-z0-9]+/g, "-");
    sections.push([one.experiment.name, one.experiment.name]);
    const all = parts(one, id);
    const first = all.filter(([name]) => name === "kind" || name === "variants");
    return el("section", {"aria-labelledby": one.experiment.name},
      el("h2", {id: one.experiment.name}, one.experiment.name + ": " + one.experiment.question),
      how(summaryLine(one)),
      ...sides(one),
      ...panels(one),
      first.map(([, title, content]) => [heading(3, title), content]),
      all.filter(part => !first.includes(part)).map(([, title, content]) => fold(title, content)));
  }

  function suite() {
    const whole = data.conclusions.filter(row => row.whole);
    const outcomes = whole.length > 0 ? whole.map(row => row.outcome) : data.members.flatMap(one => one.claims.map(claim => claim.outcome));
    const claims = Object.entries(CLAIMS).map(([name, [title]]) => [outcomes.filter(outcome => outcome === name).length, title])
      .filter(([count]) => count > 0).map(([count, title]) => count + " " + title);
    places.head.append(
      el("p", {class: "over"}, "siemload · experiments " + data.title),
      el("h1", {}, data.question),
      el("p", {class: "variant"}, plural(data.members.length, "series", "series") + (claims.length > 0 ? " · conclusions of the source: " + joined(claims) : "")));
    return [...data.conclusions.length > 0 ? [section("conclusions", "Conclusions", conclusions())] : [],
      section("overview", "Overview", overview()), ...data.members.map(member)];
  }

  const isSuite = data.members.length === 0 || data.members[0].path !== "";
  const built = isSuite ? suite() : page(data.members[0]);
  places.main.append(el("nav", {"aria-label": "sections"}, el("ul", {}, sections.map(([id, title]) =>
    el("li", {}, el("a", {href: "#" + id}, title))))), ...built);
  places.foot.append(el("p", {}, isSuite
    ? "comparison.json and summary.md of each series lie in its own directory."
    : "Beside this page lie comparison.json and summary.md; ./siemload compare makes them again from the runs."));
  drawFromNowOn();
})();
