"use strict";

/* Builds the page from its data: the sections of the report, and the charts. Every text is inserted as text, never as markup. */
(() => {
  const {data, places, el, whole, short, digits, millis, percent, plural, how, note, scrolled, table, pairs, fold, chart, chosen, report, drawFromNowOn} = elements;
  const {run, head} = data;

  const MOST_BARS = 30;
  const ofStatements = run.searches.length > 0 && run.searches.every(search => search.page === "statement");
  const words = ofStatements ? {search: "statement", searches: "statements", row: "row"} : {search: "search", searches: "searches", row: "event"};

  const leftOut = name => data.notes[name] && note("Left out: " + data.notes[name]);

  // ---- above all sections --------------------------------------------------------------------------------------------

  const mark = (kind, sign, label) => el("span", {class: "mark " + kind, role: label && "img", "aria-label": label, "aria-hidden": label ? undefined : "true"}, sign);

  function panel(kind, label, title, items) {
    return el("section", {class: "panel " + kind, "aria-label": label, style: "margin-top:0"}, el("h2", {}, title), el("ul", {}, items));
  }

  function validity() {
    const {verdict, saturation} = run.validity;
    const saturated = saturation.gaveOut.length > 0;
    const reserved = head.verdict.includes(", but ");
    const lines = head.why.filter(({text}) => text !== "");
    return panel(verdict === "notValid" || saturated ? "bad" : verdict === "valid" && !reserved ? "good" : "warn", "validity", head.verdict,
      lines.map(({label, text}) => el("li", {}, /^(NOT VALID|disturbed|SATURATED)$/.test(label) && mark("bad", "!"),
        label !== "valid" && label !== "NOT VALID" && el("strong", {}, label.trim() + ": "), text)));
  }

  function objectives() {
    const marks = {met: ["good", "✓"], MISSED: ["bad", "✗"], undecided: ["warn", "?"]};
    const of = plural(head.objectives.length, "objective", "objectives");
    const count = wanted => head.objectives.filter(({label}) => label === wanted).length;
    const missed = count("MISSED");
    const undecided = count("undecided");
    const title = missed > 0 ? missed + " of " + of + " missed" : undecided > 0 ? undecided + " of " + of + " undecided"
      : head.objectives.length === 1 ? "The objective was met" : "All " + of + " were met";
    // If the run is not valid, its met objectives are not certain.
    const invalid = run.validity.verdict === "notValid";
    const colour = missed > 0 ? "bad" : invalid ? "" : undecided > 0 ? "warn" : "good";
    return head.objectives.length === 0 ? "" : panel(colour, "objectives", title + (invalid ? ", but the numbers are not valid" : ""),
      head.objectives.map(({label, text}) => el("li", {}, mark(...marks[label], label), text)));
  }

  function headOfPage() {
    const started = run.startedAt.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
    places.head.append(
      el("p", {class: "over"}, "siemload · " + run.scenario + " · " + started + (run.interrupted ? " · interrupted" : "")),
      el("h1", {}, head.sentence.replace(/ (?=\d)/g, "\u00a0")),
      el("p", {class: "variant"}, head.variant),
      el("div", {class: "verdicts"}, validity(), objectives()));
    if (head.notes.length > 0) {
      places.head.append(el("details", {class: "notes"}, el("summary", {}, plural(head.notes.length, "note", "notes") + " on this run"),
        el("div", {class: "body"}, el("ul", {}, head.notes.map(text => el("li", {}, text))))));
    }
    const all = (run.totals.length > 0 ? run.totals : run.searches).find(({name, page}) => name === "all" && page === "");
    const time = (title, figure) => [title, millis(all.responseTimeMicros[figure]), "ms"];
    const figures = [...all ? [[words.searches, whole(all.count), short(all.count / run.measuredSeconds) + "/s"], ["failed", whole(all.ko), percent(all.ko / Math.max(1, all.count))],
      time("response time p50", "p50"), time("response time p95", "p95"), time("slowest", "max")] : [],
    ...run.feeder.eventsPerSecond > 0 ? [["fed events a second", digits(1)(run.feeder.achievedEventsPerSecond), "of " + short(run.feeder.eventsPerSecond)]] : []];
    places.head.append(el("dl", {class: "figures"}, figures.map(([name, value, unit]) => el("div", {}, el("dt", {}, name), el("dd", {}, value, " ", el("small", {}, unit))))));
  }

  // ---- charts over time --------------------------------------------------------------------------------------------

  function latency() {
    const fed = run.feeder.eventsPerSecond > 0;
    return data.latency ? [
      how("Each point is the response time of the " + words.searches + " that ended in " + (data.axis.step === 1 ? "that second" : "those " + data.axis.step + " seconds")
        + "; with few " + words.searches + ", p95 is the slowest of them." + (fed ? " If response time and backlog rise together, they probably have the same cause." : "")),
      chosen("chart-latency", "Show", "Line chart: response time of each " + words.search + " over the run" + (fed ? ", and below it fed events and backlog" : ""),
        [["p95", "p95"], ["p50", "p50"], ["max", "slowest"]], (percentile, look) => charts.latency(data, look, percentile), "tall"),
      fed && leftOut("load")] : leftOut("latency");
  }

  function spectrum() {
    const {spectra} = data;
    const metrics = [["latency", "response time"], ["firstEvent", "time to first " + words.row], ["lastEvent", "time to last " + words.row]]
      .filter(([metric]) => spectra[metric]);
    return metrics.length > 0 && [
      how("Example: at 99 %, one " + words.search + " in a hundred was slower than the line. A flat line means steady times; a step means that some " + words.searches + " were answered in a different way, for example from a cold cache or with another plan."),
      chosen("chart-spectrum", "Show", "Line chart: the time that each share of the " + words.searches + " stayed at or below", metrics, (metric, look) => charts.spectrum(spectra, look, metric), "tall")];
  }

  function steps() {
    const first = data.steps.findIndex(({figure}) => figure === "lastEventMicros");
    const order = data.steps.map((one, index) => [String(index), one.title]);
    order.unshift(...order.splice(Math.max(0, first), 1));
    return order.length > 0 && chosen("chart-steps", "Show", "Bar chart: the median of each step, and each of its executions", order,
      (index, look) => charts.steps(data.steps[index].rows, look, data.steps[index].title), 60 + 24 * Math.max(...data.steps.map(one => one.rows.length)));
  }

  const io = () => data.io && Object.keys(data.io).length > 0 ? [how("Blocks that the database read and wrote, by purpose: redo is the database's log, undo has old versions of rows, temp has spilled sorts. Reads may come from the system's cache rather than a disk. Dotted lines mark completed checkpoints."),
    chart("chart-io", "Area chart: megabytes a second read and written by data, index, redo, undo, temp and rest", look => charts.io(data, look), "tall")] : leftOut("io");

  // ---- where the time goes -----------------------------------------------------------------------------------------

  const tag = search => search.name + "-" + search.page + "-" + search.order;
  const inOrder = order => ({oldestFirst: ", oldest first", unsorted: ", unsorted"})[order] || "";
  const label = search => search.page === "statement" ? search.name : search.name + " " + search.page + inOrder(search.order);

  /** Combines several kinds of search: the means of all their answered searches. */
  function together(searches, more) {
    const answered = searches.reduce((sum, search) => sum + search.ok, 0);
    const mean = metric => ({mean: searches.reduce((sum, search) => sum + search.ok * search[metric].mean, 0) / answered});
    return {label: labelTogether(searches), ok: answered, latenessMicros: mean("latenessMicros"), workerWaitMicros: mean("workerWaitMicros"),
      firstEventMicros: mean("firstEventMicros"), lastEventMicros: mean("lastEventMicros"), ...more};
  }

  function labelTogether(searches) {
    const all = of => [...new Set(searches.map(of))];
    const names = all(search => search.name);
    const orders = all(search => search.order);
    return searches.length === 1 || ofStatements ? searches.map(label).join(" + ")
      : (names.length > 3 ? names.length + " searches from " + names[0] : names.join(" + ")) + ": " + all(search => search.page).join(", ") + (orders.length === 1 ? inOrder(orders[0]) : "");
  }

  /**
   * The bars for kinds of search. Kinds that share a statement have one bar, since the server cannot distinguish them. If they are
   * different searches, and not pages of one search, each also has a separate bar without the server's part.
   */
  function phaseRows(shown) {
    const rows = [];
    const done = new Set();
    for (const search of shown.filter(search => search.ok > 0)) {
      const statement = run.serverTime.statements.find(one => one.searches.includes(tag(search)));
      const members = statement ? run.searches.filter(other => other.ok > 0 && statement.searches.includes(tag(other))) : [];
      if (statement && !done.has(statement)) {
        done.add(statement);
        rows.push(together(members, {serverMicros: statement.planningMicros + statement.executionMicros}));
      }
      if (!statement || new Set(members.map(other => other.name)).size > 1) {
        rows.push(together([search]));
      }
    }
    return rows;
  }

  function phases() {
    if (!run.searches.some(search => search.ok > 0)) {
      return "";
    }
    const {statements, source, covers, untold} = run.serverTime;
    // The most frequent kinds, and all kinds with failures.
    const most = run.searches.slice().sort((a, b) => b.count - a.count).slice(0, MOST_BARS);
    const shown = phaseRows(run.searches.filter(search => search.ko > 0 || most.includes(search)));
    const figure = chart("chart-phases", "Bar chart: mean lateness, wait, server's own time, network and driver, and fetch time of each search",
      look => charts.phases(shown, look, row => row.label, words.row), 60 + 24 * shown.length);
    return [how("Mean times of answered " + words.searches + ", which add up to their response time. Lateness of the load generator points to a busy machine, waits point to too few workers."
      + (run.searches.length > most.length ? " The chart has the " + most.length + " most frequent kinds, and all kinds with failures." : "")), figure, note(statements.length > 0
        ? "Server is the server's own time, from " + source + ": " + covers + ". Network and driver is the rest of the time to the first " + words.row + ", and fetching is all remaining time;"
          + " the server may still work while rows are fetched." + (ofStatements ? "" : " Searches that share a statement share a bar, since the server cannot distinguish them.")
        : "The server's own time is not shown separately: " + (untold || "this run did not read it") + ".")];
  }

  // ---- hosts -------------------------------------------------------------------------------------------------------

  const THIS_HOST = "this host";

  /** The data for the charts of a host: those of the run, with this host and its disks. */
  const seenOf = name => ({...data, host: data.hosts && data.hosts[name], disks: data.disks && data.disks[name]});

  const disks = (seen, id) => [el("h4", {}, "Disks"), how("Dashed: the share of the time in which a device was busy; near 100 % the device is the limit."),
    chart("chart-disks" + id, "Line chart: megabytes and operations a second and utilisation of each disk", look => charts.disks(seen, look), "tall")];

  function timesAndMemory(seen, id, explained) {
    return el("div", {class: "two"}, el("div", {}, el("h4", {}, "User and system time"), explained && how(explained),
        chart("chart-cpu-times" + id, "Area chart: user, system, waiting and stolen time", look => charts.cpuTimes(seen, look), "tall")),
      el("div", {}, el("h4", {}, "Memory and swap"),
        chart("chart-memory" + id, "Line chart: memory in use, cache of files and swapping", look => charts.memory(seen, look)),
        seen.disks && Object.keys(seen.disks).length > 0 ? disks(seen, id) : leftOut("disks")));
  }

  function host() {
    const own = seenOf(THIS_HOST);
    const others = Object.keys(data.hosts || {}).filter(name => name !== THIS_HOST);
    return !own.host ? [leftOut("hosts"), leftOut("disks")] : [
      el("h4", {}, "CPU"), how("The bands add up to the time in which the CPUs worked or waited for disks; the rest up to 100 % was idle."),
      chart("chart-cpu", "Area chart: share of all CPUs by database, load generator, other programs, waiting for disks and stolen", look => charts.cpu(own, look)),
      timesAndMemory(own, "", ""),
      ...others.map((name, index) => [el("h3", {}, name), timesAndMemory(seenOf(name), "-" + (index + 1),
        "These are the figures of the host's node exporter; seconds without an answer are gaps.")])];
  }

  // ---- plans -------------------------------------------------------------------------------------------------------

  const DETAIL = /^(.* )?(Cond|Filter|Key|Method)$|^Rows Removed by .*|^Workers Launched$/;
  const READS_ALL = /^(Sort|Aggregate|Hash|HashAggregate|BitmapAnd|BitmapOr|Bitmap Heap Scan)$/;

  /** The JSON of a plan; undefined for any other text. */
  function explained(plan) {
    try {
      return plan.text && JSON.parse(plan.text);
    } catch (otherText) {
      return undefined;
    }
  }

  /**
   * The steps of a plan by EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON), each before the steps below it; empty for any other plan. Rows are
   * those of one loop, millis those of all loops, including the steps below.
   */
  function planSteps(says) {
    const steps = [];
    const number = value => Number(value) || 0;
    const collect = (node, depth, isWhole) => {
      const type = String(node["Node Type"]);
      const named = (before, name) => node[name] ? before + node[name] : "";
      const step = {depth, estimated: number(node["Plan Rows"]), loops: number(node["Actual Loops"]), hit: number(node["Shared Hit Blocks"]),
        read: number(node["Shared Read Blocks"]), temporary: number(node["Temp Read Blocks"]) + number(node["Temp Written Blocks"]),
        what: (node["Parallel Aware"] === true ? "Parallel " : "") + type + ((node["Join Type"] || "Inner") === "Inner" ? "" : " (" + node["Join Type"] + ")")
          + named(" using ", "Index Name") + named(" on ", "Relation Name") + named(" of ", "CTE Name") + named(", for ", "Subplan Name"),
        details: Object.entries(node).filter(([name, value]) => DETAIL.test(name) && (typeof value !== "number" || value > 0))
          .map(([name, value]) => [name, [].concat(value).join(", ")])};
      steps.push(step);
      if (step.loops > 0) {
        step.millis = number(node["Actual Total Time"]) * step.loops;
        // The server does not count the rows of combined bitmaps.
        if (!/^Bitmap(And|Or)$/.test(type)) {
          step.rows = number(node["Actual Rows"]);
          const fewer = Math.max(1, step.estimated) / Math.max(1, step.rows);
          // Fewer rows than estimated are not a misestimate if a limit ended the step early.
          step.misestimate = 1 / fewer >= 10 || isWhole && fewer >= 10 ? Math.max(fewer, 1 / fewer) : undefined;
        }
      }
      const readsAll = type !== "Limit" && (READS_ALL.test(type) || isWhole);
      [].concat(node.Plans || []).forEach(below => collect(below, depth + 1, readsAll));
    };
    const top = Array.isArray(says) && says[0] && says[0].Plan;
    if (top && typeof top["Node Type"] === "string") {
      collect(top, 0, true);
    }
    return steps;
  }

  /** A step's numbers, and below them the step's conditions over the whole width, since conditions are long. */
  function stepRows(step) {
    const pages = name => step[name] ? whole(step[name]) : "";
    const never = step.loops === 0;
    const indent = "padding-left:" + (0.6 + 1.1 * step.depth) + "rem";
    const numbers = el("tr", {class: step.details.length > 0 ? "above" : undefined},
      el("th", {scope: "row", style: indent}, step.what,
        step.misestimate && el("span", {class: "pill"}, short(step.misestimate) + " × misestimated")),
      el("td", {}, step.estimated === undefined ? "–" : whole(step.estimated)),
      el("td", {}, never ? "never run" : step.rows === undefined ? "–" : short(step.rows)),
      el("td", {}, whole(step.loops)),
      el("td", {}, never ? "" : digits(2)(step.millis)),
      el("td", {}, pages("hit")), el("td", {}, pages("read")), el("td", {}, pages("temporary")));
    return step.details.length === 0 ? [numbers] : [numbers, el("tr", {}, el("td", {colspan: "8", class: "text wrap conditions", style: indent},
      step.details.map(([name, text]) => el("span", {class: "condition mono"}, name + ": " + text))))];
  }

  function planBody(plan, name) {
    if (plan.note) {
      return note(plan.note);
    }
    const says = explained(plan);
    const steps = planSteps(says);
    if (steps.length === 0) {
      return el("pre", {tabindex: "0", role: "region", "aria-label": "plan of " + name}, says === undefined ? plan.text : JSON.stringify(says, null, 2));
    }
    const columns = ["step", "rows estimated", "rows", "loops", "ms", "pages hit", "pages read", "temp pages"];
    return [scrolled("plan of " + name, el("table", {class: "plan"},
      el("thead", {}, el("tr", {}, columns.map((title, index) => el("th", {scope: "col", class: index === 0 ? "text" : undefined}, title)))),
      el("tbody", {}, steps.flatMap(stepRows)))),
      how("Planned in " + digits(2)(Number(says[0]["Planning Time"]) || 0) + " ms, ran in " + digits(2)(Number(says[0]["Execution Time"]) || 0) + " ms.")];
  }

  function plan(one) {
    const name = label(one);
    const changed = one.shape !== one.shapeAtEnd;
    const before = data.plans[one.file];
    const after = changed && before && before.atEnd;
    const worst = Math.max(0, ...planSteps(explained(before || {})).map(step => step.misestimate || 0));
    const details = el("details", {}, el("summary", {}, name + " ", el("span", {class: "shape"}, one.shape || "no plan"),
      one.partitions > 0 && el("span", {class: "pill"}, one.partitionsRead + " of " + one.partitions + " partitions"),
      changed && el("span", {class: "pill"}, "changed during the run"),
      worst > 0 && el("span", {class: "pill"}, short(worst) + " × misestimated")));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) {
        details.append(el("div", {class: "body"}, one.failure && note("The plan could not be read: " + one.failure),
          changed && el("h4", {}, "Before the load"), before && planBody(before, name),
          changed && el("h4", {}, "After the load: " + one.shapeAtEnd), after && planBody(after, name + " after the load")));
      }
    });
    return details;
  }

  function plans() {
    const changed = run.plans.filter(one => one.shape !== one.shapeAtEnd);
    return run.plans.length > 0 && [
      how("The plan of one " + words.search + " of each kind. The server measured rows and times: rows are of one loop, time and pages include all steps below. "
        + "If the rows of a step differ from the estimate by a factor of ten, the server may have chosen the wrong plan."),
      changed.length > 0 && note(plural(changed.length, "plan", "plans") + " changed during the load; times from before and after the change are mixed."),
      fold(plural(run.plans.length, "plan", "plans"), run.plans.map(plan))];
  }

  // ---- environment -------------------------------------------------------------------------------------------------

  function environment() {
    const {settings, connection, container} = run.target;
    return [how("The conditions of this run. If two runs have the same fingerprint for a section, their values in that section were the same."),
      Object.entries((data.environment || {}).sections || {}).map(([name, part]) =>
        fold([name + " ", el("span", {class: "fingerprint mono"}, String(part.fingerprint || ""))], pairs(name, "key", "value", part.values || {}))),
      leftOut("environment"),
      [["server settings that differ from its defaults", settings], ["connection to the server", connection.security === "" ? {} : connection], ["container", container]]
        .filter(([, of]) => Object.keys(of).length > 0).map(([title, of]) => fold(title + " (" + Object.keys(of).length + ")", pairs(title, "key", "value", of)))];
  }

  /** The result of the self-test of siemload on this machine. */
  function selftest() {
    const test = data.selftest;
    if (!test) {
      return [leftOut("selftest") || el("p", {}, "It was not tested how well this machine measures: run ./siemload selftest.")];
    }
    const failed = test.checks.filter(check => !check.passed);
    return [el("p", {}, "Result of ./siemload selftest on this machine on " + test.when.replace(/T.*/, "") + " (Java " + test.java + ", " + plural(test.cpus, "CPU", "CPUs") + "): "
      + (test.checks.length - failed.length) + " of " + plural(test.checks.length, "check", "checks") + " passed" + failed.map(check => "; FAILED: " + check.name + " (" + check.why + ")").join("") + ".")];
  }

  // ---- the page ----------------------------------------------------------------------------------------------------

  const drawn = {latency, spectrum, phases, steps, io, host, plans, environment};

  headOfPage();
  report(data.sections, drawn);
  places.foot.append(...selftest(), el("p", {}, "Run " + run.runId
    + ". The same directory has run.json, timeline.csv, the histogram logs and the plans; ./siemload report makes this page again from these files."));
  drawFromNowOn();
})();
