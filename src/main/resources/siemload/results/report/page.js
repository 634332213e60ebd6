"use strict";

/* Builds the page from its data. Every text goes in as text, never as markup. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const run = data.run;
  const MOST_ROWS = 20;
  const THIS_HOST = "this host";
  const {el, format, whole, short, digits, millis, bytes, median, percent, plural, how, note, scrolled, table, pairs, fold, chart, redraw, choice,
    drawFromNowOn} = elements;

  const ofStatements = run.searches.length > 0 && run.searches.every(search => search.page === "statement");
  const user = run.dataset.store === "existing" ? "user" : "analyst";
  const words = ofStatements ? {search: "statement", searches: "statements", row: "row", due: "the user was due to send the statement"}
    : {search: "search", searches: "searches", row: "event", due: "the " + user + " was due to search"};
  const capital = text => text[0].toUpperCase() + text.slice(1);

  /** What there is of a run that failed to write it is told in words; what a run has not at all is not. */
  const broken = name => (data.notes[name] || "this run has no").startsWith("this run has no") ? "" : data.notes[name];
  const leftOut = name => broken(name) && note("Left out: " + broken(name));

  /** One row a search with all its pages. */
  const totals = run.totals;
  const isAll = search => search.name === "all" && search.order === "" && search.page === "";
  const isTotal = search => search.name === "all" && search.order === "";

  const inOrder = order => ({oldestFirst: ", oldest first", unsorted: ", unsorted"})[order] || "";

  function label(search) {
    if (isTotal(search)) {
      return search.page === "count" ? "exact counts" : "all";
    }
    return search.page === "statement" ? search.name : (search.name + " " + search.page).trim() + inOrder(search.order);
  }

  // ---- first screen ------------------------------------------------------------------------------------------------

  function validity() {
    const {verdict, warnings, saturation} = run.validity;
    const saturated = saturation.gaveOut.length > 0;
    const titles = {valid: "Valid", disturbed: "Disturbed: usable with care", notValid: "Not valid: do not use these numbers"};
    const mark = () => el("span", {class: "mark bad", "aria-hidden": "true"}, "!");
    const reserved = data.reservations.length > 0;
    return el("section", {class: "panel " + (verdict === "notValid" || saturated ? "bad" : verdict === "valid" && !reserved ? "good" : "warn"), "aria-label": "validity", style: "margin-top:0"},
      el("h2", {}, titles[verdict] + (verdict !== "notValid" ? data.but : "") + (saturated ? ", and saturated: the database did not keep up" : "")),
      verdict === "valid" && !saturated && !reserved && el("p", {}, "Nothing was found that speaks against these numbers."),
      saturated && verdict !== "notValid" && el("p", {}, "The numbers hold, and say how the database does when it is overloaded."),
      warnings.length > 0 && el("ul", {}, warnings.map(warning => el("li", {}, mark(), warning))),
      reserved && el("ul", {}, data.reservations.map(text => el("li", {}, text))),
      saturated && el("p", {}, "What gave out:"),
      saturated && el("ul", {}, saturation.gaveOut.map(what => el("li", {}, mark(), what))),
      saturated && el("p", {}, "By what that showed:"),
      saturated && el("ul", {}, saturation.signs.map(sign => el("li", {}, sign))),
      saturated && el("p", {}, el("strong", {}, "What to change first: "), saturation.advice));
  }

  function objectives() {
    const missed = run.objectives.filter(({outcome}) => outcome === "missed").length;
    const undecided = run.objectives.filter(({outcome}) => outcome === "undecided").length;
    const marks = {met: ["good", "✓"], missed: ["bad", "✗"], undecided: ["warn", "?"]};
    const of = plural(run.objectives.length, "objective", "objectives");
    if (run.objectives.length === 0) {
      return "";
    }
    const title = missed > 0 ? missed + " of " + of + " missed"
      : undecided > 0 ? undecided + " of " + of + " undecided"
      : run.objectives.length === 1 ? "The objective was met" : "All " + of + " were met";
    // What an invalid run met, it did not meet for sure.
    const colour = missed > 0 ? "bad" : run.validity.verdict === "notValid" ? "" : undecided > 0 ? "warn" : "good";
    return el("section", {class: "panel " + colour, "aria-label": "objectives", style: "margin-top:0"},
      el("h2", {}, title + (run.validity.verdict !== "notValid" ? "" : ", by numbers that are not valid")),
      el("ul", {}, run.objectives.map(({text, outcome, measured, reason}) => el("li", {},
        el("span", {class: "mark " + marks[outcome][0], role: "img", "aria-label": outcome}, marks[outcome][1]),
        text, " ", el("span", {class: "measured"}, "– measured " + measured + (reason && "; " + reason))))));
  }

  /** What must be known, but does not speak against the numbers: there may be a lot of it. */
  function notes() {
    const {notes} = run.validity;
    return notes.length > 0 && el("details", {class: "notes"}, el("summary", {}, plural(notes.length, "note", "notes") + " on this run"),
      el("div", {class: "body"}, el("ul", {}, notes.map(text => el("li", {}, text)))));
  }

  function figures() {
    const all = totals.find(isAll);
    const items = [];
    if (all) {
      const times = all.responseTimeMicros;
      items.push([words.searches, whole(all.count), short(all.count / run.measuredSeconds) + "/s"],
        ["failed", whole(all.ko), percent(all.ko / all.count)],
        ["response time p50", millis(times.p50), ["ms", interval(times, "p50")]],
        ["response time p95", millis(times.p95), ["ms", interval(times, "p95")]],
        ["slowest", millis(times.max), "ms"]);
    }
    if (run.feeder.eventsPerSecond > 0) {
      items.push(["fed events a second", digits(1)(run.feeder.achievedEventsPerSecond), "of " + short(run.feeder.eventsPerSecond)]);
    }
    return el("dl", {class: "figures"}, items.map(([name, value, unit]) =>
      el("div", {}, el("dt", {}, name), el("dd", {}, value, " ", el("small", {}, unit)))));
  }

  /** Where a percentile may lie, small below it; empty where that is not known. */
  function interval(summary, name) {
    const {low, high} = summary.intervals95[name] || {};
    if (high === undefined) {
      return "";
    }
    const known = low > 0 || high >= 0;
    return el("small", {class: "interval", title: high >= 0 ? "95 % interval" : "95 % interval; too few " + words.searches + " to say how high it may be"},
      known ? millis(low) + "–" + (high >= 0 ? millis(high) : "?") : "?");
  }

  /** The columns of tables of searches: title, the value to sort by, and what is shown. */
  const COUNTS = [
    [words.search, label, label],
    ["count", search => search.count, search => whole(search.count)],
    ["per s", search => search.count / run.measuredSeconds, search => digits(1)(search.count / run.measuredSeconds)],
    ...run.searches.some(search => search.ko > 0)
      ? [["failed", search => search.ko, search => el("span", {class: search.ko ? "bad-text" : undefined}, whole(search.ko))]] : []];

  /** Searches that all failed have no times, only zeros for them. */
  const times = (key, more) => ["p50", "p95", "p99", "max"].map(name => [name,
    search => search[key].max > 0 ? search[key][name] : -1,
    search => search[key].max > 0 ? [millis(search[key][name]), more && interval(search[key], name)] : "–"]);

  /** Groups are [title, columns]; what is of all searches together stays below, however the others are sorted. */
  function searchTable(name, shown, groups) {
    const columns = [...COUNTS, ...groups.flatMap(([, columns]) => columns)];
    const firsts = groups.map((unused, index) => COUNTS.length + groups.slice(0, index).reduce((sum, [, before]) => sum + before.length, 0));
    const edge = index => firsts.includes(index) ? "edge" : undefined;
    const row = search => el("tr", {}, columns.map(([, , cell], index) => index === 0 ? el("th", {scope: "row"}, cell(search)) : el("td", {class: edge(index)}, cell(search))));
    const rows = shown.filter(search => !isTotal(search)).map(search => ({search, element: row(search)}));
    const body = el("tbody", {}, rows.map(({element}) => element));
    const heads = columns.map(([title, value], index) => {
      const group = groups.find((unused, number) => firsts[number] <= index && index < firsts[number] + groups[number][1].length);
      const button = el("button", {type: "button", "aria-label": "sort by " + (group ? group[0] + " " : "") + title}, title);
      const head = el("th", {scope: "col", class: index === 0 ? "text" : edge(index)}, button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending" && index > 0
          || index === 0 && head.getAttribute("aria-sort") === "ascending";
        heads.forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
        const sorted = rows.slice().sort((a, b) => (down ? -1 : 1) * compare(value(a.search), value(b.search)));
        body.append(...sorted.map(({element}) => element));
      });
      return head;
    });
    return scrolled(name, el("table", {class: "searches"},
      el("thead", {},
        el("tr", {}, el("td", {colspan: String(COUNTS.length)}), groups.map(([title, columns]) => el("th", {colspan: String(columns.length), scope: "colgroup", class: "group"}, title))),
        el("tr", {}, heads)),
      body, shown.some(isTotal) && el("tfoot", {}, shown.filter(isTotal).map(row))));
  }

  /** Of many the most frequent ones, in their order, and all that failed: a reader wants to see those first. */
  function frequent(searches, number) {
    const most = searches.filter(search => !isTotal(search)).sort((a, b) => b.count - a.count).slice(0, number);
    return searches.filter(search => search.ko > 0 || isTotal(search) || most.includes(search));
  }

  function searches() {
    const shown = frequent(totals, MOST_ROWS);
    const all = [...totals.filter(search => !isTotal(search)).flatMap(total => {
      const kinds = run.searches.filter(search => search.name === total.name);
      return total.page === "" && kinds.length > 1 ? [total, ...kinds] : kinds;
    }), ...totals.filter(isTotal)];
    const errors = run.searches.flatMap(search => Object.entries(search.errors).map(([error, count]) =>
      el("li", {}, label(search) + ": " + count + " × " + error)));
    return [
      el("h2", {id: "searches"}, capital(words.searches)),
      how("Response time runs from when " + words.due + " until the last row. p95: 95 of 100 " + words.searches + " took at most that long."
        + (shown.length < totals.length ? " These are the most frequent of " + whole(totals.length) + " " + words.searches + "." : "")),
      searchTable("the " + words.searches + " and their response times", shown, [["response time, ms", times("responseTimeMicros")]]),
      fold((ofStatements ? "Intervals" : "By page and order") + ", with the times to the first and the last " + words.row,
        how("Time to first and to last " + words.row + " (TFE, TTS) start when a worker took the " + words.search + ". Small below a percentile (nearest rank, within 0.1 %): its 95 % interval, wider where seconds differ; "
          + "? where too few " + words.searches + " say how high it may be."),
        searchTable("all times of the " + words.searches, all, [["response time, ms", times("responseTimeMicros", true)],
          ["time to first " + words.row + ", ms", times("firstEventMicros", true)], ["time to last " + words.row + ", ms", times("lastEventMicros", true)],
          ["", [["rows", search => search.rows, search => whole(search.rows)]]]])),
      run.followUps.length > 0 && fold("First " + words.searches + " and follow-ups",
        how("A follow-up narrows a search whose answer the " + user + " has just seen."),
        table("first searches and follow-ups", [["search", "text"], ["first", ""], ["p50, ms", ""], ["p95, ms", ""], ["follow-ups", ""], ["p50, ms", ""], ["p95, ms", ""]],
          run.followUps.map(one => [one.name, whole(one.firsts), ...["p50", "p95"].map(name => one.firsts > 0 ? millis(one.firstMicros[name]) : "–"),
            whole(one.followUps), ...["p50", "p95"].map(name => one.followUps > 0 ? millis(one.followUpMicros[name]) : "–")]))),
      errors.length > 0 && [el("h3", {}, "What failed"), el("ul", {}, errors)],
      run.inFlightAtEnd > 0 && note(plural(run.inFlightAtEnd, words.search + " was", words.searches + " were")
        + " still running when the measured phase ended; those that ended later count in full.")];
  }

  function answers() {
    if (isProcedure) {
      return "";
    }
    const left = run.answersLeftOut > 0 ? "; " + whole(run.answersLeftOut) + " more were to be checked, but memory or time did not suffice" : "";
    return run.checkRatio === 0
      ? "Answers were not checked."
      : "Answers held against " + (run.dataset.store === "existing" ? "each other: " : "the events: ") + whole(run.answersChecked) + " checked, " + whole(run.answersWrong) + " wrong" + left + ".";
  }

  function head() {
    const started = run.startedAt.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC");
    document.getElementById("head").append(
      el("p", {class: "over"}, "siemload · " + run.scenario + " · " + started + (run.interrupted ? " · interrupted" : "")),
      el("h1", {}, data.sentence.replace(/ (?=\d)/g, "\u00a0")),
      el("p", {class: "variant"}, data.variant),
      el("div", {class: "verdicts"}, validity(), objectives()),
      notes() || "",
      isProcedure ? "" : figures());
  }

  // ---- steps of a procedure ---------------------------------------------------------------------------------------

  const isProcedure = run.steps.length > 0 && run.searches.length === 0;

  const isTime = figure => figure.endsWith("Micros");
  const title = figure => (isTime(figure) ? figure.slice(0, -"Micros".length) + " ms" : figure).replace(/[A-Z]/g, " $&").toLowerCase();
  const amount = (figure, value) => value === undefined ? "" : isTime(figure) ? millis(value) : format({maximumSignificantDigits: 6})(value);

  /** Steps of one name, in the order in which they were first done. */
  function stepsByName(steps) {
    const byName = new Map();
    steps.forEach(step => byName.set(step.name, [...(byName.get(step.name) || []), step]));
    return [...byName].map(([name, same]) => ({name, same}));
  }

  function stepsChart(rows, figures) {
    let figure = figures.find(name => name === "lastEventMicros") || figures[0];
    const values = row => row.same.map(step => step.figures[figure]).filter(value => value !== undefined);
    const place = chart("chart-steps", "Bar chart: the median of each step, and each time it was done", theLook =>
      charts.steps(rows.map(row => ({name: row.name, values: values(row), median: median(values(row))})), theLook, title(figure), isTime(figure) ? 1e-3 : 1),
      60 + 24 * rows.length);
    const chosen = el("select", {"aria-label": "figure to draw"}, figures.map(name => el("option", {value: name, selected: name === figure}, title(name))));
    chosen.addEventListener("change", () => {
      figure = chosen.value;
      redraw(place);
    });
    return [el("p", {}, el("label", {}, "Show ", chosen)), place];
  }

  function eachStep() {
    const facts = [...new Set(run.steps.flatMap(step => Object.keys(step.facts)))];
    const figures = [...new Set(run.steps.flatMap(step => Object.keys(step.figures)))];
    return fold("Each step (" + run.steps.length + ")", table("each step",
      [["step", "text"], ...facts.map(fact => [fact, "text"]), ...figures.map(figure => [title(figure), ""])],
      run.steps.map(step => [step.name, ...facts.map(fact => step.facts[fact] || ""), ...figures.map(figure => amount(figure, step.figures[figure]))])));
  }

  /** A table whose first row has the titles; numbers but in its first column, and in its last one where that is said. */
  function told(title, what, last) {
    if (!what) {
      return false;
    }
    const [titles, ...rows] = what.rows;
    return [el("h3", {}, title), how(what.legend.join("; ") + "."),
      table(title, titles.map((one, index) => [one, index === 0 || index === titles.length - 1 && last === "text" ? "text" : ""]), rows)];
  }

  function stepList() {
    const shown = run.steps.filter(step => step.facts.tier === undefined);
    const rows = stepsByName(shown);
    const first = rows.slice(0, MOST_ROWS);
    const figuresOf = rows => {
      const all = [...new Set(rows.flatMap(row => row.same).flatMap(step => Object.keys(step.figures)))];
      return [...all.filter(isTime), ...all.filter(figure => !isTime(figure))];
    };
    const figures = figuresOf(rows);
    const firstFigures = figuresOf(first);
    const cell = (row, figure) => {
      const values = row.same.map(step => step.figures[figure]).filter(value => value !== undefined);
      return values.length === 0 ? "" : amount(figure, median(values));
    };
    const medians = (name, rows, shown) => table(name, [["step", "text"], ["done", ""], ...shown.map(figure => [title(figure), ""])],
      rows.map(row => [row.name, whole(row.same.filter(step => !step.facts.error).length), ...shown.map(figure => cell(row, figure))]));
    const failed = run.steps.filter(step => step.facts.error);
    return [el("h2", {id: "steps"}, "Steps"),
      how("What was done, one thing after the other. Of equal steps the medians; the table below the chart has each of them."
        + (first.length < rows.length ? " These are the first " + first.length + " of " + rows.length + " kinds of steps." : "")),
      failed.length > 0 && [el("h3", {}, "What failed"), el("ul", {}, failed.map(step => el("li", {}, step.name + (step.facts.server ? " on server " + step.facts.server : "") + ": " + step.facts.error)))],
      told("Servers", data.servers, ""),
      told("Tiers of deployment", data.tiers, "text"),
      data.servers && el("h3", {}, "Step by step"),
      medians("the steps", first, firstFigures.slice(0, 4)),
      firstFigures.length > 0 && stepsChart(first, firstFigures),
      (figures.length > 4 || first.length < rows.length) && fold("All figures of all kinds of steps (" + rows.length + ")", medians("all figures of the steps", rows, figures)),
      eachStep()];
  }

  /** What the server wrote, checkpoint by checkpoint; what it does not tell is a dash. */
  function checkpoints() {
    const rows = run.steps.filter(step => step.name === "checkpoint" || step.name === "after the last checkpoint");
    const told = (step, figure) => step.figures[figure] === undefined ? "–" : format({maximumFractionDigits: 1})(step.figures[figure]);
    return rows.length > 0 && [el("h3", {}, "Checkpoints"),
      how("When each was seen to be complete, how long it took, and how long after the one before. Then blocks: those that it wrote, those that the server "
        + "wrote ahead for whoever needs room, and those that sessions had to write themselves, all since the checkpoint before."),
      table("the checkpoints", [["number", "text"], ["time", "text"], ["length s", ""], ["after s", ""], ["by checkpoint", ""], ["by writer", ""], ["by sessions", ""]],
        rows.map(step => [step.facts.number || "since then", (step.facts.time || "").replace("T", " ").replace("Z", ""), told(step, "seconds"), told(step, "secondsSinceLast"),
          told(step, "blocksByCheckpoint"), told(step, "blocksByWriter"), told(step, "blocksBySessions")]))];
  }

  function transactionsSection() {
    if (!data.transactions) {
      return broken("transactions") && section("transactions", "Transactions over time", leftOut("transactions"));
    }
    return section("transactions", "Transactions over time",
      how("How many ended in each second, and below it how long they took, from when a user wanted one to its acknowledged end."),
      chart("chart-transactions", "Line chart: transactions a second, and below it their times", theLook => charts.transactions(data, theLook), "tall"),
      checkpoints());
  }

  // ---- sections ----------------------------------------------------------------------------------------------------

  const sections = [];

  function section(id, title, ...content) {
    sections.push([id, title]);
    return el("section", {"aria-labelledby": id}, el("h2", {id}, title), content);
  }

  function latencySection() {
    if (!data.latency) {
      return broken("latency") && section("latency", "Latency over time", leftOut("latency"));
    }
    let percentile = "p95";
    const fed = run.feeder.eventsPerSecond > 0;
    const figure = chart("chart-latency", "Line chart: response time of each " + words.search + " over the run" + (fed ? ", and below it fed events and backlog" : ""),
      theLook => charts.latency(data, theLook, percentile), "tall");
    return section("latency", "Latency over time",
      how("Each point is the response time of the " + words.searches + " that ended in " + (data.axis.step === 1 ? "that second" : "those " + data.axis.step + " seconds")
        + "; with few of them p95 is their slowest." + (fed ? " If latency rises when the backlog does, both wait for the same thing." : "")),
      data.steadyState && note(capital(data.steadyState) + "."),
      choice("percentile", "Show", [["p95", "p95"], ["p50", "p50"], ["max", "slowest"]], chosen => {
        percentile = chosen;
        redraw(figure);
      }),
      figure, fed && leftOut("load"));
  }

  function spectrumSection() {
    const metrics = [["response", "response time"], ["firstEvent", "time to first " + words.row], ["lastEvent", "time to last " + words.row]]
      .filter(([metric]) => data.spectra[metric] && Object.keys(data.spectra[metric]).length > 0);
    if (metrics.length === 0) {
      return undefined;
    }
    let metric = metrics[0][0];
    const figure = chart("chart-spectrum", "Line chart: the time that each share of the " + words.searches + " stayed at or below",
      theLook => charts.spectrum(data, theLook, metric), "tall");
    return section("distribution", "Distribution",
      how("Read upwards from 99 %: one " + words.search + " in a hundred was slower than the line there. A flat line is steady; a step is another way of answering, such as a cold cache or another plan."),
      choice("metric", "Show", metrics, chosen => {
        metric = chosen;
        redraw(figure);
      }),
      figure);
  }

  const tag = search => search.name + "-" + search.page + "-" + search.order;

  /** Several kinds of search as one: the means of all their answered searches. */
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
   * The bars for kinds of search: those that share a statement have one, since the server cannot tell them apart. Where these are
   * several searches, and not pages of one, each has a bar of its own as well, without the server's part.
   */
  function phaseRows(shown) {
    const rows = [];
    const drawn = new Set();
    for (const search of shown.filter(search => search.ok > 0)) {
      const statement = run.serverTime.statements.find(one => one.searches.includes(tag(search)));
      if (!statement) {
        rows.push(together([search]));
        continue;
      }
      const members = run.searches.filter(other => other.ok > 0 && statement.searches.includes(tag(other)));
      if (!drawn.has(statement)) {
        drawn.add(statement);
        rows.push(together(members, {serverMicros: statement.planningMicros + statement.executionMicros}));
      }
      if (new Set(members.map(other => other.name)).size > 1) {
        rows.push(together([search]));
      }
    }
    return rows;
  }

  function phasesSection() {
    if (!run.searches.some(search => search.ok > 0)) {
      return undefined;
    }
    let shown = [];
    const {statements, source, covers, untold} = run.serverTime;
    const figure = chart("chart-phases", "Bar chart: mean lateness, wait, server's own time, way there and back, and fetch time of each search",
      theLook => charts.phases(shown, theLook, row => row.label, words.row));
    const show = chosen => {
      shown = phaseRows(chosen);
      figure.firstChild.style.height = 60 + 24 * shown.length + "px";
      redraw(figure);
    };
    const some = frequent(run.searches, 10);
    const kinds = run.searches.length - some.length >= 3 && choice("phases-kinds", "Show", [["some", "the " + some.length + " most frequent kinds"], ["all", "all " + run.searches.length]],
      chosen => show(chosen === "all" ? run.searches : some));
    show(kinds ? some : run.searches);
    const server = statements.length > 0
      ? ["Server is its own time by " + source + ": " + covers + ". Network and driver is what is left of the time to the first " + words.row + ", and fetching what is left after it;"
          + " the server may go on working while rows are fetched." + (ofStatements ? "" : " Searches that share a statement share a bar, since the server cannot tell them apart.")]
      : ["The server's own time is not told apart here: " + (untold || "this run did not ask for it") + "."];
    return section("phases", "Where the time goes",
      how("Mean times of answered " + words.searches + ", which add up to their response time: a late load generator means a busy machine, waiting too few workers."),
      kinds, figure, ...server.map(note));
  }

  /** What became of the work that is done by the clock. */
  function schedulesSection() {
    const schedules = run.schedules || [];
    if (schedules.length === 0) {
      return undefined;
    }
    return section("schedules", "Scheduled tasks",
      how("Each task has a tick in every period, whatever the answers take. A tick that comes while its task is still at the one before is missed. Times are from the instant at which a tick was due; late is how long until a worker began with it."),
      table("ticks", [["group", "text"], ["tasks", ""], ["every, s", ""], ["ticks due", ""], ["run", ""], ["failed", ""], ["missed", ""], ["unfinished", ""], ["p50, ms", ""], ["p95, ms", ""], ["max, ms", ""], ["late p99, ms", ""], ["late max, ms", ""]],
        schedules.map(one => [one.group, whole(one.tasks), short(one.everySeconds), whole(one.due), whole(one.run), whole(one.failed), whole(one.missed), whole(one.unfinished),
          ...["p50", "p95", "max"].map(name => millis(one.responseTimeMicros[name])), ...["p99", "max"].map(name => millis(one.latenessMicros[name]))])),
      data.ticks ? [how("The slowest of the ticks that were due in each second; crosses mark seconds with missed ones."),
        chart("chart-ticks", "Chart: the slowest tick of each second and group, and missed ticks", theLook => charts.ticks(data, theLook))]
        : leftOut("ticks"),
      ...tickIo(schedules.filter(one => one.ioCounted > 0)));
  }

  /** What single ticks read and wrote, where that was counted. */
  function tickIo(counted) {
    if (counted.length === 0) {
      return [];
    }
    const words = name => name.replace(/([A-Z])/g, " $1").toLowerCase();
    const parallel = run.plans.some(plan => plan.shape.includes("parallel"));
    return [el("h3", {}, "Input and output of single ticks"),
      how("What the session of a tick counted of its own work, whoever else was at work: blocks from outside the database's cache (read) or in it (hit), and the bytes of log that it made. "
        + "What is not told of a session is missing. The chart has all blocks as circles, and those that were read as triangles. ticks.csv has each tick." + (parallel ? " Plans are parallel here: what other workers of the server read is missing." : "")),
      table("input and output of ticks", [["group", "text"], ["", "text"], ["ticks counted", ""], ["median", ""], ["most", ""]],
        counted.flatMap(one => one.io.map(figure => [one.group, words(figure.name), whole(one.ioCounted), whole(figure.median), whole(figure.max)]))),
      ...data.ticks ? [chart("chart-tick-io", "Chart: the blocks of tables and indexes that ticks of each second and group asked for", theLook => charts.tickIo(data, theLook))] : []];
  }

  /** What each of the servers did that answered, beside one that was fed. */
  function replicasSection() {
    const replicas = run.replicas || [];
    if (replicas.length === 0) {
      return undefined;
    }
    const times = ["p50", "p95", "p99", "max"];
    const lags = ["p50", "p99", "max"];
    return section("replicas", "Replicas",
      how("Each user sends " + words.searches + " to one of these servers, which follow the one that is loaded and fed. Lag is how far a replica was behind it, by ten looks a second: an answer may lack what was fed within that, and nothing else. replicas.csv has each second."),
      table("replicas", [["replica", "text"], [words.searches, ""], ["failed", ""], ...times.map(name => [name + ", ms", ""]), ...lags.map(name => ["lag " + name + ", ms", ""])],
        replicas.map(one => [one.replica + " " + one.url.replace(/^.*?\/\//, "").replace(/\?.*/, ""), whole(one.searches), whole(one.failed), ...times.map(name => one.searches > 0 ? millis(one.responseTimeMicros[name]) : "–"),
          ...lags.map(name => millis(one.lagMicros[name]))])),
      ...replicas.filter(one => one.about).map(one => note(one.replica + ": " + one.about)));
  }

  /** How long statements took when they were recorded, and now; and who was to blame where one began late. */
  function replaySection() {
    const replays = run.replays || [];
    if (replays.length === 0) {
      return undefined;
    }
    return section("replay", "Then and now", ...replays.flatMap(one => [
      how(one.recording + " was played at " + (one.speed === 1 ? "the speed at which it was recorded" : "speed " + short(one.speed)) + ": " + whole(one.due) + " of " + whole(one.recorded)
        + " recorded executions were due, " + whole(one.ended) + " have ended. Then is the server's own time, by its log. Now is the time from begin to last row as the load generator saw it, the network included. Times are in ms; now/then is of medians."),
      ...one.failure ? [note("It was not played to its end: " + one.failure)] : [],
      ...thenAndNow(one.statements),
      el("h3", {}, "Begun late"),
      how("A session asks one statement at a time: what is due while it is at another one waits for the database. What began late though its session was free waited for the load generator. Counted from a millisecond on."),
      table("begun late", [["late by", "text"], ["executions", ""], ["p50, ms", ""], ["p99, ms", ""], ["max, ms", ""]],
        [["the database", one.lateByDatabase], ["the load generator", one.lateByPlayer]].map(([name, late]) => [name, whole(late.count),
          ...["p50", "p99", "max"].map(figure => late.count > 0 ? millis(late.latenessMicros[figure]) : "–")]))]));
  }

  /** The same of a scenario that was learnt from a log, whose statements come as often as they did, and not when they did. */
  function learntSection() {
    const learnt = run.learnt || [];
    return learnt.length === 0 ? undefined : section("learnt", "Then and now",
      how("Then is the server's own time of all executions that the log has. Now is the time from begin to last row as the load generator saw it, the network included. Times are in ms; now/then is of medians."),
      ...thenAndNow(learnt));
  }

  /** How long each statement took then and now, and by which plans. */
  function thenAndNow(statements) {
    const times = ["p50", "p95", "p99", "max"];
    return [
      table("then and now", [["statement", "text"], ["count", ""], ["failed", ""], ["now/then", ""], ...times.map(name => ["then " + name, ""]), ...times.map(name => ["now " + name, ""])],
        statements.map(statement => [statement.name, whole(statement.count), whole(statement.failed), statement.medianRatio > 0 ? digits(2)(statement.medianRatio) : "–",
          ...times.map(name => millis(statement.thenMicros[name])), ...times.map(name => statement.answered > 0 ? millis(statement.nowMicros[name]) : "–")])),
      ...plansThenAndNow(statements)];
  }

  /** By which plans statements were executed then, as far as the log has them, and by which now. */
  function plansThenAndNow(statements) {
    const now = new Map(run.plans.map(plan => [plan.name, plan.shape]));
    const compared = statement => {
      const shapes = statement.plansThen.map(plan => plan.shape);
      const shape = now.get(statement.name);
      return !shape ? "" : shapes[0] === shape ? "the same" : shapes.includes(shape) ? "was rarer" : "another";
    };
    const rows = statements.flatMap(statement => (statement.plansThen || []).map((plan, i) => [i === 0 ? statement.name : "", whole(plan.count), plan.shape,
      i === 0 ? now.get(statement.name) || "–" : "", i === 0 ? compared(statement) : ""]));
    return rows.length === 0 ? [] : [
      el("h3", {}, "Plans"),
      how("Then as often as the log has them, which may not be of each execution; a recording has the text of each. Now is the plan of one example, before the load."),
      table("plans then and now", [["statement", "text"], ["times then", ""], ["plan then", "text"], ["plan now", "text"], ["", "text"]], rows)];
  }

  /** Which process made which part of the load, and whether it was in time. */
  function injectorsSection() {
    const injectors = run.injectors;
    const started = run.injectorsStarted;
    if (started === 0) {
      return undefined;
    }
    if (injectors.length === 0) {
      return section("injectors", "Injectors", note("None of the " + started + " injectors told at the end what it had done."));
    }
    const from = Math.min(...injectors.map(one => one.startLatenessMicros - one.clockUncertaintyMicros));
    const until = Math.max(...injectors.map(one => one.startLatenessMicros + one.clockUncertaintyMicros));
    return section("injectors", "Injectors",
      how("Several processes made the load together: each had the users and batches whose numbers are its own. The figures of this page are of all their times together. They began at an instant on which they had agreed by the database's clock"
        + (injectors.length > 1 ? ", within " + millis(until - from) + " ms, as far as each knew that clock" : "")
        + (injectors.length < started ? "; that is not known of " + (started - injectors.length) + " of " + started + " injectors, which told nothing at the end" : "") + ". Late are " + words.searches + " that it began after they were due; timers are those that its users wait on."),
      table("injectors", [["injector", "text"], [words.searches, ""], ["share, %", ""], ["events", ""], ["CPU, s", ""], ["CPUs, %", ""], ["late p99, ms", ""], ["timers p99, ms", ""], ["pauses, ms", ""], ["began, ms", ""], ["", "text"]],
        injectors.map(one => [one.injector + " on " + one.host, whole(one.searches), digits(1)(100 * one.searchesRatio), whole(one.eventsAcknowledged),
          digits(2)(one.generator.cpuSeconds), digits(1)(100 * one.generator.cpuRatio), millis(one.searchLatenessMicros.p99), millis(one.eventLoopLatenessMicros.p99),
          millis(one.pauses.totalMicros), millis(one.startLatenessMicros) + " ± " + millis(one.clockUncertaintyMicros), one.faults.length > 0 ? "not valid" : "valid"])));
  }

  /** What it cost to remove the oldest day, and whom. */
  function retentionSection() {
    const removals = run.retention || [];
    if (removals.length === 0) {
      return undefined;
    }
    return section("retention", "Retention", ...removals.flatMap(one => one.failure
      ? [note("The events of " + one.day + " were not removed: " + one.failure)]
      : [how("The events of " + one.day + " were removed " + (one.means === "partition" ? "with their partition" : "row by row") + ", "
          + short(one.fromSecond) + " s into the measured phase. It took " + millis(one.tookMicros) + " ms, " + millis(one.waitedMicros)
          + " ms of them waiting for locks. What ends in a second counts to it; searches wait where the removal locks their tables."),
        table("retention", [["seconds", "text"], ["how many", ""], ["searches", ""], ["p50, ms", ""], ["p95, ms", ""], ["p99, ms", ""], ["max, ms", ""], ["feeder late p99, ms", ""], ["late max, ms", ""]],
          one.spans.map(span => [span.name + " the removal", whole(span.seconds), whole(span.searches),
            ...["p50", "p95", "p99", "max"].map(name => millis(span.responseTimeMicros[name])), ...["p99", "max"].map(name => millis(span.feederLatenessMicros[name]))]))]));
  }

  function feederSection() {
    const feeder = run.feeder;
    if (feeder.eventsPerSecond === 0) {
      return undefined;
    }
    const ledger = feeder.lost < 0 ? ["–", "–"] : [whole(feeder.lost), whole(feeder.duplicated)];
    const times = summary => ["p50", "p95", "p99", "max"].map(name => [millis(summary[name]), interval(summary, name)]);
    return section("feeder", "Feeder",
      how("The feeder keeps a timetable: a late batch does not move the next one. Lost and double events must be 0; lateness and backlog say whether the database kept up."),
      table("what was fed", [["", "text"], ["target", ""], ["achieved", ""], ["kB/s", ""], ["acknowledged", ""], ["failed", ""], ["retried batches", ""], ["lost", ""], ["twice", ""], ["backlog, highest", ""], ["at the end", ""]],
        [["events", feeder.rate || short(feeder.eventsPerSecond) + "/s", digits(1)(feeder.achievedEventsPerSecond) + "/s", short(feeder.kilobytesPerSecond), whole(feeder.acknowledged),
          whole(feeder.failed), whole(feeder.retries), ...ledger, whole(feeder.backlogMax), whole(feeder.backlogAtEnd)]]),
      ...withoutAcknowledgement(feeder),
      el("h3", {}, "Batches, ms"),
      table("times of batches", [["", "text"], ["p50", ""], ["p95", ""], ["p99", ""], ["max", ""]],
        [["sent too late by", ...times(feeder.latenessMicros)], ["acknowledged after", ...times(feeder.acknowledgeMicros)]]));
  }

  function withoutAcknowledgement(feeder) {
    const stored = feeder.storedUnacknowledged > 0
      ? [`The acknowledgements of ${whole(feeder.storedUnacknowledged)} events never arrived, but the events are stored.`] : [];
    const unknown = feeder.unknown > 0
      ? [`Whether ${whole(feeder.unknown)} events are stored is unknown: their acknowledgements never arrived, and nobody could look for them.`] : [];
    return [...stored, ...unknown].map(note);
  }

  function freshnessSection() {
    const seen = run.visibility;
    if (seen.sampled === 0 && run.pagination.length === 0) {
      return undefined;
    }
    return section("freshness", "New events",
      seen.sampled > 0 && [el("h3", {}, "Time to visibility"),
        how("From an event's acknowledgement to the first probe search that returned it: never less than the probe itself takes."),
        table("time to visibility", [["", "text"], ["sampled", ""], ["seen", ""], ["never seen", ""], ["p50, ms", ""], ["p99, ms", ""], ["max, ms", ""], ["at events/s", ""]],
          [["fed events", whole(seen.sampled), whole(seen.seen), whole(seen.unseen), [millis(seen.visibleMicros.p50), interval(seen.visibleMicros, "p50")],
            [millis(seen.visibleMicros.p99), interval(seen.visibleMicros, "p99")], millis(seen.visibleMicros.max), digits(1)(run.feeder.achievedEventsPerSecond)]])],
      run.pagination.length > 0 && [el("h3", {}, "Paging truth"),
        how("What an analyst misses or sees twice who pages through the newest events while more arrive; both should be 0."),
        table("paging truth", [["paging", "text"], ["walks", ""], ["pages", ""], ["rows", ""], ["skipped", ""], ["shown twice", ""], ["failed walks", ""]],
          run.pagination.map(one => [one.paging, whole(one.walks), whole(one.pages), whole(one.rows), whole(one.skipped), whole(one.shownTwice), whole(one.failed)]))]);
  }

  /** What the database read and wrote for one report, by purpose: the mean of equal steps, or one search alone before the load. */
  function ioOfReports() {
    const ofSteps = run.steps.filter(step => !step.facts.error && step.io.length > 0).map(step => [step.name, step.io]);
    const counted = ofSteps.length > 0 ? ofSteps : run.plans.filter(plan => plan.io.length > 0).map(plan => [label(plan), plan.io]);
    if (counted.length === 0) {
      return [];
    }
    const byName = new Map();
    counted.forEach(([name, io]) => byName.set(name, [...(byName.get(name) || []), io]));
    const cell = (all, category) => {
      const found = all.map(io => io.find(one => one.category === category)).filter(Boolean);
      const mean = value => found.reduce((sum, one) => sum + value(one), 0) / all.length;
      return found.length === 0 ? "–" : [short(mean(io => io.hits + io.reads + io.writes)), el("small", {class: "interval"}, bytes(mean(io => io.readBytes + io.writtenBytes)))];
    };
    const categories = ["data", "index", "redo", "undo", "temp"];
    return fold("Input and output of each " + (ofSteps.length > 0 ? "step" : words.search) + " alone (" + byName.size + ")",
      how((ofSteps.length > 0 ? "What one step took, on average over equal steps, with nobody beside it. "
        : "What one " + words.search + " of each kind took, carried out alone before the load: in the load they overlap, so that nobody can tell whose a block is. ")
        + "Blocks that were found in the database's cache, read or written, and below them what was read or written outside of it. A full scan needs data and no index, a search by an index the other way around."),
      table("input and output of each report", [["", "text"], ["times", ""], ...categories.map(category => [category, ""])],
        [...byName].map(([name, all]) => [name, whole(all.length), ...categories.map(category => cell(all, category))])));
  }

  /** Who had to write blocks, where the database tells. */
  function checkpointPart() {
    const told = name => run.database.counters["checkpoints." + name] || 0;
    if (!data.checkpoints || Object.keys(data.checkpoints).length <= 1) {
      return [];
    }
    return [el("h3", {}, "Checkpoints"),
      how("Completed in the measured phase: " + whole(told("completed")) + (told("millis") > 0 ? ", which took " + digits(1)(told("millis") / 1000) + " s together" : "") + "; dotted lines mark when. Blocks that sessions write themselves keep their users waiting."),
      chart("chart-checkpoints", "Line chart: blocks written by checkpoints, ahead of need, and by sessions", theLook => charts.checkpoints(data, theLook))];
  }

  /** What the server says that it holds, wherever it runs; most tell nothing. */
  function memoryOfDatabase() {
    const most = Object.entries(run.database.memoryBytesMax);
    if (most.length === 0) {
      return [];
    }
    return [el("h3", {}, "Memory"),
      how("What the database itself says that it holds, by its own names, on whichever host it runs; the most of the measured phase. One may be a part of another, so that they do not add up."),
      table("the memory of the database", [["memory", "text"], ["most", ""]], most.map(([name, value]) => [name, bytes(value)])),
      data.databaseMemory
        ? chart("chart-database-memory", "Line chart: the memory that the database says it holds", theLook => charts.databaseMemory(data, theLook))
        : leftOut("databaseMemory")];
  }

  function databaseSection() {
    const database = run.database;
    const content = [];
    if (database.io.length > 0) {
      content.push(el("h3", {}, "Input and output over time"),
        how("Blocks the database read and wrote, by purpose: redo is its log, undo what keeps old versions, temp what sorting spilled. Reads may come from the system's cache rather than a disk."),
        data.io
          ? chart("chart-io", "Area chart: megabytes a second read and written by data, index, redo, undo, temp and rest", theLook => charts.io(data, theLook), "tall")
          : leftOut("io"));
    }
    if (database.io.length > 0) {
      content.push(el("h3", {}, "In the measured phase"),
        how("A hit is a block found in the database's own cache; hits and reads together are all blocks asked for."),
        table("input and output by category", [["category", "text"], ["reads", ""], ["read", ""], ["writes", ""], ["written", ""], ["hits", ""], ["hit share", ""]],
          database.io.map(io => [io.category, whole(io.reads), bytes(io.readBytes), whole(io.writes), bytes(io.writtenBytes), whole(io.hits),
            io.hits + io.reads > 0 ? percent(io.hits / (io.hits + io.reads)) : "–"])));
    }
    content.push(ioOfReports(), ...checkpointPart(), ...memoryOfDatabase());
    if (database.relations.length > 0) {
      const busiest = database.relations.slice().sort((a, b) => b.blocksRead + b.blocksHit - a.blocksRead - a.blocksHit);
      content.push(fold("Tables and indexes (" + busiest.length + ")", table("tables and indexes", [["name", "text"], ["kind", "text"], ["blocks read", ""], ["blocks hit", ""]],
        busiest.map(one => [one.name, one.kind, whole(one.blocksRead), whole(one.blocksHit)]))));
    }
    const counters = Object.entries(database.counters);
    if (counters.length > 0) {
      content.push(fold("All counters that changed (" + counters.length + ")", table("counters", [["counter", "text"], ["difference", ""]],
        counters.map(([name, value]) => [name, whole(value)]))));
    }
    if (database.samples > 0) {
      content.push(note("The counters were read " + plural(database.samples, "time", "times") + ", which took " + percent(database.samplingRatio) + " of the phase."));
    }
    return content.flat().length > 0 && section("database", "Database", content);
  }

  /** A database on the same machine is reached over the loopback, which is none of the networks. */
  function networkPart(host, id) {
    const peaks = host.peaks;
    const moved = peaks.networkReceivedBytes + peaks.networkSentBytes > 0;
    return el("div", {}, el("h4", {}, "Network"), how(moved
      ? "The highest second of the measured phase: " + bytes(peaks.networkReceivedBytes) + " received, " + bytes(peaks.networkSentBytes) + " sent."
      : "Nothing left this host in the measured phase."),
    moved && chart("chart-network" + id, "Line chart: megabytes a second received and sent", theLook => charts.network(data, theLook, host)));
  }

  function diskPeaks(disks) {
    const known = Object.entries(disks).filter(([, device]) => device.peaks.reads !== undefined);
    return known.length > 0 && [how("The highest second of the measured phase:"),
      table("peaks of the disks", [["device", "text"], ["reads/s", ""], ["writes/s", ""], ["read/s", ""], ["written/s", ""], ["busy", ""]],
        known.map(([name, {peaks}]) => [name, whole(peaks.reads), whole(peaks.writes), bytes(peaks.readBytes), bytes(peaks.writtenBytes), percent(peaks.utilisationRatio)]))];
  }

  /** What the disk of the data can do, as ./siemload storage found out before the run. */
  function diskAbility() {
    const {storage} = data;
    return storage
      ? el("p", {class: "how"}, el("strong", {}, storage.words), ": the busiest second of the measured phase beside what this disk can do ("
        + storage.conditions + "). Dotted, where it is not far above: what it can.")
      : leftOut("storage") || el("p", {class: "how"}, "Nobody has measured what the disk of the data can do: ./siemload storage does.");
  }

  /** User and system time, and each CPU of a host, as sysstat shows them. */
  function timesOfCpus(host, id) {
    const known = run.hosts.find(one => one.name === host);
    return [el("h4", {}, "User and system time, each CPU"),
      known && how("In the measured phase " + percent(known.userRatio) + " user, " + percent(known.systemRatio) + " system, " + percent(known.iowaitRatio) + " waiting for disks and "
        + percent(known.stealRatio) + " stolen, of " + plural(known.cpus, "CPU", "CPUs") + ". A single busy CPU below is a thread that is the limit."),
      chart("chart-cpu-times" + id, "Area chart: user, system, waiting and stolen time, and how busy each CPU was", theLook => charts.cpuTimes(data, host, theLook), "tall")];
  }

  function loadOf(host, id) {
    return [el("h4", {}, "Load average"), chart("chart-load" + id, "Line chart: the load averages of 1, 5 and 15 minutes", theLook => charts.load(data, host, theLook))];
  }

  /** Another host, as its node exporter tells it. */
  function otherHost(figures, index) {
    const {name} = figures;
    const seen = data.hosts && data.hosts[name];
    const id = "-" + (index + 1);
    if (!seen) {
      return el("div", {class: "host"}, el("h3", {}, name),
        data.hosts ? note("This host was never seen; the notes on this run say why.") : leftOut("hosts"));
    }
    const disks = data.hostDisks && data.hostDisks[name];
    const head = [el("h3", {}, name),
      how("By its node exporter." + (figures.failedLooks > 0 ? " It did not answer " + whole(figures.failedLooks) + " of " + whole(figures.looks) + " times, which are gaps in the charts." : "")),
      table("the host " + name, [["CPUs", "text"], ["user", ""], ["system", ""], ["disk wait", ""], ["stolen", ""], ["highest load", ""], ["most memory", ""], ["most cache", ""], ["swapped in", ""], ["out", ""], ["received", ""], ["sent", ""]],
        [[String(figures.cpus), percent(figures.userRatio), percent(figures.systemRatio), percent(figures.iowaitRatio), percent(figures.stealRatio), digits(2)(figures.load1Max),
          bytes(figures.memoryUsedBytesMax), bytes(figures.pageCacheBytesMax), bytes(figures.swapInBytes), bytes(figures.swapOutBytes), bytes(figures.networkReceivedBytes), bytes(figures.networkSentBytes)]])];
    return el("div", {class: "host"}, head, el("div", {class: "two"},
      el("div", {}, timesOfCpus(name, id), loadOf(name, id)),
      el("div", {}, el("h4", {}, "Memory and swap"),
        chart("chart-memory" + id, "Line chart: memory in use, cache of files and swapping", theLook => charts.memory(data, theLook, seen)),
        disks && [el("h4", {}, "Disks"), chart("chart-disks" + id, "Line chart: megabytes and operations a second and utilisation of each disk", theLook => charts.disks(data, theLook, disks), "tall"), diskPeaks(disks)],
        networkPart(seen, id))));
  }

  function hostSection() {
    const host = run.host;
    const own = data.hosts && data.hosts[THIS_HOST];
    const others = run.hosts.filter(one => one.name !== THIS_HOST);
    const content = [el("h3", {}, others.length > 0 ? "This host: the load generator's" : "This host")];
    if (host.cpus > 0) {
      content.push(how("Shares of all CPUs of the load generator's machine, on average over the measured phase. Near 100 % the machine is the limit; stolen time is other guests' gain."),
        table("the host", [["CPUs", "text"], ["database", ""], ["load generator", ""], ["others", ""], ["disk wait", ""], ["stolen", ""], ["highest load", ""], ["most memory", ""], ["swapped in", ""], ["out", ""],
          ...(data.storage ? [["disk of the data", "text"]] : [])],
          [[String(host.cpus), percent(host.databaseCpuRatio), percent(host.generatorCpuRatio), percent(host.otherCpuRatio), percent(host.iowaitRatio), percent(host.stealRatio),
            digits(2)(host.loadMax), bytes(host.memoryUsedBytesMax), bytes(host.swapInBytes), bytes(host.swapOutBytes), ...(data.storage ? [data.storage.words] : [])]]));
      content.push(el("p", {class: "how"}, "The generator stopped for its garbage collector " + plural(host.pauses.count, "time", "times") + ", for " + millis(host.pauses.maxMicros)
        + " ms at most; timers that users wait on were " + millis(host.eventLoopLatenessMicros.p99) + " ms late at p99. Network: "
        + bytes(host.networkReceivedBytes) + " received, " + bytes(host.networkSentBytes) + " sent."));
      if (host.heavyProcesses.length > 0) {
        content.push(note("Other busy programs: " + host.heavyProcesses.map(one => one.name + " (" + percent(one.cpuRatio) + ")").join(", ")));
      }
    } else {
      content.push(how("The load generator used " + percent(run.generator.cpuRatio) + " of this machine's CPUs, " + short(run.generator.cpuMicrosPerSearch) + " µs a " + words.search + "; nobody watched the rest of the machine."));
    }
    content.push(data.host
      ? [el("h4", {}, "CPU"), how("The bands add up to all that the CPUs did or waited for; what is left of 100 % was idle."),
        chart("chart-cpu", "Area chart: share of all CPUs by database, load generator, other programs, waiting for disks and stolen", theLook => charts.cpu(data, theLook))]
      : leftOut("host"));
    const times = own && el("div", {}, timesOfCpus(THIS_HOST, ""));
    const memory = data.host && el("div", {}, el("h4", {}, "Memory and swap"), how(run.host.swapInBytes + run.host.swapOutBytes > 0 ? "This machine swapped, which makes times worthless." : "Nothing was swapped; swapping would make times worthless."),
      chart("chart-memory", "Line chart: memory in use and swapping", theLook => charts.memory(data, theLook, {...own, ...data.host})));
    const disks = el("div", {}, data.disks && Object.keys(data.disks).length > 0
      ? [el("h4", {}, "Disks"), how("Dashed: how much of the time a device was busy; near 100 % it is the limit."),
        diskAbility(),
        chart("chart-disks", "Line chart: megabytes and operations a second and utilisation of each disk", theLook => charts.disks(data, theLook), "tall"),
        diskPeaks(data.disks)]
      : leftOut("disks"), own && loadOf(THIS_HOST, ""));
    const network = data.host && networkPart(data.host, "");
    content.push(el("div", {class: "two"}, el("div", {}, times, memory, network), disks));
    content.push(...others.map(otherHost));
    return section("host", "Hosts", content);
  }

  // ---- plans -------------------------------------------------------------------------------------------------------

  /** A step's numbers, and below them its conditions over the whole width: they are long. */
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
    if (plan.text !== undefined) {
      return el("pre", {tabindex: "0", role: "region", "aria-label": "plan of " + name}, plan.text);
    }
    const columns = ["step", "rows estimated", "rows", "loops", "ms", "pages hit", "pages read", "temp pages"];
    return [scrolled("plan of " + name, el("table", {class: "plan"},
      el("thead", {}, el("tr", {}, columns.map((title, index) => el("th", {scope: "col", class: index === 0 ? "text" : undefined}, title)))),
      el("tbody", {}, plan.tree.steps.flatMap(stepRows)))),
      el("p", {class: "how"}, "Planned in " + digits(2)(plan.tree.planningMillis) + " ms, ran in " + digits(2)(plan.tree.executionMillis) + " ms.")];
  }

  function plan(one) {
    const steps = one.before && one.before.tree ? one.before.tree.steps : [];
    const worst = Math.max(0, ...steps.map(step => step.misestimate || 0));
    const details = el("details", {}, el("summary", {}, one.search + " ", el("span", {class: "shape"}, one.shape || "no plan"),
      one.partitions > 0 && el("span", {class: "pill"}, one.partitionsRead + " of " + one.partitions + " partitions"),
      one.changed && el("span", {class: "pill"}, "changed during the run"),
      worst > 0 && el("span", {class: "pill"}, short(worst) + " × misestimated")));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) {
        const body = el("div", {class: "body"});
        body.append(...[one.failure && note("The plan could not be read: " + one.failure),
          one.changed && el("h4", {}, "Before the load"), one.before && planBody(one.before, one.search),
          one.changed && el("h4", {}, "After the load: " + one.shapeAtEnd), one.after && planBody(one.after, one.search + " after the load")]
          .flat().filter(Boolean));
        details.append(body);
      }
    });
    return details;
  }

  function plansSection() {
    if (data.plans.length === 0) {
      return undefined;
    }
    const changed = data.plans.filter(one => one.changed);
    return section("plans", "Plans",
      how("How the server answered one " + words.search + " of each kind. Rows and times are what it measured: rows in one loop, time and pages with all steps below. "
        + "A step whose rows are ten times off the estimate may have made the server choose the wrong plan."),
      changed.length > 0 && note(plural(changed.length, "plan was another one", "plans were other ones") + " after the load than before it; times from before and after the change are mixed."),
      fold(plural(data.plans.length, "plan", "plans"), data.plans.map(plan)));
  }

  // ---- what it ran on ----------------------------------------------------------------------------------------------

  function environmentSection() {
    const content = [how("What the numbers hold for. Two runs with the same fingerprint of a section had the same there.")];
    if (data.environment) {
      content.push(...Object.entries(data.environment).map(([name, part]) =>
        fold([name + " ", el("span", {class: "fingerprint mono"}, String(part.fingerprint || ""))], pairs(name, "key", "value", part.values || {}))));
    }
    content.push(leftOut("environment"));
    const server = Object.entries(run.target.settings);
    if (server.length > 0) {
      content.push(fold("server settings that differ from its defaults (" + server.length + ")", pairs("server settings", "setting", "value", run.target.settings)));
    }
    if (run.target.connection.security !== "") {
      content.push(fold("connection to the server", pairs("connection", "key", "value", run.target.connection)));
    }
    if (Object.keys(run.target.container).length > 0) {
      content.push(fold("container", pairs("container", "key", "value", run.target.container)));
    }
    return section("environment", "Environment", content);
  }

  function settingsSection() {
    return section("settings", "Settings",
      how("Every value of the scenario after all overrides, and where it came from."),
      fold(plural(run.settings.length, "setting", "settings"), table("settings", [["setting", "text"], ["value", "text wrap"], ["from", "text"]],
        run.settings.map(setting => [setting.path, setting.value, setting.origin]))),
      el("p", {class: "how"}, ...dataSet(), outside() + answers()));
  }

  function dataSet() {
    return run.dataset.store === "existing"
      ? ["The database was there before the run, and was only read. "]
      : ["Data set " + run.dataset.name + ": " + whole(run.dataset.events) + " events, seed " + run.dataset.seed + ", fingerprint ",
        el("span", {class: "mono"}, run.dataset.fingerprint), ". " + lay()];
  }

  function lay() {
    const place = {
      copy: "a copy of the data set",
      clone: "a clone of the data set, made by the file system",
      dataSet: "the kept data set itself, read-only",
      empty: "tables that were empty",
    }[run.dataset.store];
    return place ? "They lay in " + place + ". " : "";
  }

  function outside() {
    const steps = Object.entries(run.secondsOutside);
    return steps.length > 0
      ? "Outside the load the run took " + steps.reduce((total, step) => total + step[1], 0).toFixed(1) + " s: " + steps.map(([step, seconds]) => step + " " + seconds.toFixed(1)).join(", ") + ". "
      : "";
  }

  /** Whether the harness measures rightly on this machine, as it found out itself. */
  function selftest() {
    const test = data.selftest;
    if (!test) {
      return [leftOut("selftest") || el("p", {}, "Nobody has tried what this machine can measure: ./siemload selftest does.")];
    }
    const passed = test.checks.filter(check => check.passed).length;
    return [el("h2", {id: "selftest"}, "What this machine can measure"),
      how("From ./siemload selftest on " + test.when.replace(/T.*/, "") + " (Java " + test.java + ", " + plural(test.cpus, "CPU", "CPUs") + "): "
        + passed + " of " + plural(test.checks.length, "check", "checks") + " passed. What fails here makes every run on this machine doubtful."),
      table("self test", [["check", "text"], ["", "text"], ["expected", "text wrap"], ["measured", "text wrap"]], test.checks.map(check =>
        [check.name, el("span", {class: check.passed ? "good-text" : "bad-text"}, check.passed ? "passed" : "FAILED"), check.expected,
          check.measured + (check.why ? " – " + check.why : "")]))];
  }

  function foot() {
    document.getElementById("foot").append(...selftest(),
      data.gatling ? el("p", {}, el("a", {href: data.gatling}, "Gatling's report of the same run"), " (whole milliseconds, interpolated percentiles)") : "",
      el("p", {}, "Run " + run.runId + ". Beside this page lie run.json, timeline.csv, the histogram logs and the plans; ./siemload report makes this page again from them."));
  }

  head();
  const ofJobs = run.steps.some(step => step.facts.job);
  const firstId = ofJobs ? "jobs" : isProcedure ? "steps" : "searches";
  const first = el("section", {"aria-labelledby": firstId, style: "margin-top:1.25rem"},
    ofJobs ? [el("h2", {id: "jobs"}, "Jobs"), jobs.content(data), eachStep()] : isProcedure ? stepList() : searches());
  const ofUsers = isProcedure ? [] : [replaySection(), learntSection(), latencySection(), spectrumSection(), phasesSection(), replicasSection(), injectorsSection(), schedulesSection(), retentionSection(), feederSection(), freshnessSection()];
  const rest = [...ofUsers, transactionsSection(), databaseSection(), hostSection(), plansSection(), environmentSection(), settingsSection()].filter(Boolean);
  const links = el("nav", {"aria-label": "sections"}, el("ul", {}, [[firstId, ofJobs ? "Jobs" : isProcedure ? "Steps" : capital(words.searches)], ...sections].map(([id, title]) =>
    el("li", {}, el("a", {href: "#" + id}, title)))));
  document.getElementById("main").append(links, first, ...rest);
  foot();
  drawFromNowOn();
})();
