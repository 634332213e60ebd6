"use strict";

/* The largest load that meets the objectives: the answer, the frontier, and for each search its runs over the load. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const {el, how, note, short, millis, table, chart, plural, drawFromNowOn} = elements;
  const UNITS = {users: "users", eventsPerSecond: "events/s", arrivals: "arrivals/s"};
  const OUTCOMES = {met: ["met", "#2f9e5f", "circle"], notMet: ["not met", "#c0453a", "diamond"], invalid: ["not valid", "#8c8c8c", "emptyCircle"]};
  const FRONTIER = "#4477aa";
  const KNOWN = ["found", "roughly", "atLeast", "notMeasurable"];
  const safe = text => echarts.format.encodeHTML(String(text));

  const words = trial => OUTCOMES[trial.outcome][0] + (trial.why.length ? ": " + trial.why.join("; ") : "");
  const timed = capacity => capacity.trials.filter(trial => trial.p95Micros > 0);

  /** The limit of the objective on a percentile of the subject's response time, in milliseconds; none where there is no such one. */
  function limit(subject, percentile) {
    for (const text of data.question.objectives) {
      const [, of, which, number, unit] = /^(\S+) responseTime (p\d+) *<=? *([\d.]+)(us|ms|s|m)$/.exec(text.trim()) || [];
      if (of === subject && which === percentile) {
        return Number(number) * {us: 0.001, ms: 1, s: 1000, m: 60000}[unit];
      }
    }
    return null;
  }

  function loadAxis(look, capacity) {
    const loads = capacity.trials.map(trial => trial.load);
    return {...charts.axisLook(look, ""), type: "log", name: UNITS[capacity.varied], nameLocation: "middle", nameGap: 26,
      nameTextStyle: {color: look.muted}, min: Math.min(...loads) / 1.15, max: Math.max(...loads) * 1.15,
      axisLabel: {color: look.muted, formatter: short, hideOverlap: true}};
  }

  function interval(look, capacity) {
    const {kind, estimate, low, high} = capacity.finding;
    if (!KNOWN.includes(kind)) {
      return {};
    }
    return {
      markArea: {silent: true, itemStyle: {color: look.shade}, data: [[{xAxis: low}, {xAxis: high}]]},
      markLine: {silent: true, symbol: "none", lineStyle: {color: look.accent, width: 1.6},
        label: {color: look.text, formatter: short(estimate), position: "end"}, data: [{xAxis: estimate}]}};
  }

  /** Runs of a load as points over a line through their means. */
  function overLoad(look, capacity, value, axis, more) {
    const option = charts.base(look);
    const trials = timed(capacity).filter(trial => value(trial) > 0);
    const loads = [...new Set(trials.map(trial => trial.load))].sort((a, b) => a - b);
    const mean = load => {
      const some = trials.filter(trial => trial.load === load && trial.outcome !== "invalid").map(value);
      return some.length ? some.reduce((sum, one) => sum + one, 0) / some.length : null;
    };
    option.tooltip = {...option.tooltip, trigger: "item", formatter: ({seriesType, data: point}) =>
      seriesType !== "scatter" ? "" : `${short(point.value[0])} ${UNITS[capacity.varied]}<br><b>${short(point.value[1])} ${axis.unit}</b><br>${safe(words(point.trial))}`};
    option.grid = {left: 62, right: 26, top: 30, bottom: 72};
    option.xAxis = loadAxis(look, capacity);
    option.yAxis = {...charts.axisLook(look, axis.name), type: axis.type, min: axis.type === "value" ? 0 : undefined,
      axisLabel: {color: look.muted, formatter: short}};
    option.series = [
      {type: "line", name: "mean of valid runs", data: loads.map(load => [load, mean(load)]).filter(point => point[1] !== null),
        color: look.faint, showSymbol: false, silent: true, lineStyle: {width: 1.4}, ...interval(look, capacity)},
      ...Object.entries(OUTCOMES).map(([outcome, [name, colour, symbol]]) => ({type: "scatter", name, color: colour, symbol, symbolSize: 9,
        data: trials.filter(trial => trial.outcome === outcome).map(trial => ({value: [trial.load, value(trial)], trial}))})),
      ...(more || [])];
    return option;
  }

  function responseTimes(look, capacity, percentile) {
    const subject = timed(capacity)[0].subject;
    const most = limit(subject, percentile);
    const lines = most === null ? [] : [{type: "line", name: "objective", data: [], silent: true, color: "#c0453a",
      markLine: {silent: true, symbol: "none", lineStyle: {color: "#c0453a", type: "dashed"}, label: {color: look.text, formatter: "objective", position: "insideStartTop"},
        data: [{yAxis: most}]}}];
    return overLoad(look, capacity, trial => trial[percentile + "Micros"] / 1000, {name: `response time ${percentile} of ${subject}, ms`, unit: "ms", type: "log"}, lines);
  }

  function throughput(look, capacity) {
    return overLoad(look, capacity, trial => trial.searchesPerSecond, {name: "answers/s", unit: "answers/s", type: "value"});
  }

  /** Every run of a frontier by both loads; those that lie beyond the picture at its edge, and equal ones beside each other. */
  function runsOfBoth(first, second, mostX, mostY) {
    const seen = {};
    return data.capacities.flatMap(capacity => capacity.trials.map(trial => {
      const [x, y] = [capacity.beside[second], trial.load];
      const place = x + " " + y;
      const before = seen[place] = (seen[place] ?? -1) + 1;
      const beyond = x > mostX || y > mostY;
      return {outcome: trial.outcome, value: [Math.min(x, mostX), Math.min(y, mostY)], symbol: beyond ? "triangle" : OUTCOMES[trial.outcome][2], symbolSize: beyond ? 8 : 6,
        symbolOffset: [Math.ceil(before / 2) * (before % 2 ? 5 : -5), 0],
        sentence: `${short(y)} ${UNITS[first]}, ${short(x)} ${UNITS[second]}${beyond ? " (beyond this picture)" : ""}: ${words(trial)}`};
    }));
  }

  /** What was found of a frontier, by the second load: where it lies, and between which ends. */
  function pointsOfBoth(second) {
    return data.capacities.filter(capacity => KNOWN.includes(capacity.finding.kind) || capacity.finding.kind === "lessThan").map(capacity => {
      const {kind, estimate, low, high} = capacity.finding;
      const ends = [low, ["atLeast", "notMeasurable"].includes(kind) ? Infinity : high];
      return {x: capacity.beside[second], y: estimate, ends, capacity};
    }).sort((a, b) => a.x - b.x);
  }

  /** More of either load is never borne better, so that what was found at a point holds below and left of it, or above and right. */
  function regions(points, mostX, mostY) {
    const met = [];
    const notMet = [];
    points.forEach(({x, y, ends}, index) => {
      met.push([index === 0 ? x : points[index - 1].x, ends[0]], [x, ends[0]]);
      notMet.push([x, Math.min(ends[1], mostY)], [index + 1 < points.length ? points[index + 1].x : y > 0 ? x : mostX, Math.min(ends[1], mostY)]);
    });
    return {met, notMet};
  }

  /** The largest first load at each value of the second one, with bars for the intervals, and all runs. */
  function frontier(look) {
    const [first, second] = data.question.varied.map(range => range.varied);
    const points = pointsOfBoth(second);
    const finite = values => values.filter(Number.isFinite);
    const mostX = 1.12 * Math.max(...finite(points.map(point => point.x)), ...data.question.against, 1);
    const mostY = 1.35 * Math.max(...finite(points.flatMap(point => [point.y, ...point.ends])), 1);
    const option = charts.base(look);
    option.tooltip = {...option.tooltip, trigger: "item", formatter: ({data: point}) => point && point.sentence ? safe(point.sentence) : ""};
    option.grid = {left: 62, right: 34, top: 30, bottom: look.narrow ? 110 : 84};
    option.xAxis = {...charts.axisLook(look, ""), type: "value", min: 0, max: mostX, name: UNITS[second], nameLocation: "middle", nameGap: 26, nameTextStyle: {color: look.muted},
      axisLabel: {color: look.muted, formatter: short, hideOverlap: true, showMaxLabel: false}};
    option.yAxis = {...charts.axisLook(look, UNITS[first]), type: "value", min: 0, max: mostY, axisLabel: {color: look.muted, formatter: short, showMaxLabel: false}};
    const region = (name, colour, values, more) => ({type: "line", name, data: values, color: colour, silent: true, showSymbol: false, lineStyle: {width: 0}, areaStyle: {color: colour, opacity: 0.13, ...more}, z: 1});
    const bar = point => ({type: "line", data: point.ends.map(end => [point.x, Math.min(end, mostY)]), color: FRONTIER, symbol: "rect", symbolSize: [9, 2],
      silent: true, lineStyle: {width: 1.6}, name: "95 % interval", z: 4});
    const {met, notMet} = regions(points, mostX, mostY);
    const runs = runsOfBoth(first, second, mostX, mostY);
    option.series = [
      region("met", OUTCOMES.met[1], met),
      region("not met", OUTCOMES.notMet[1], notMet, {origin: "end"}),
      {type: "line", name: "largest load that meets the objectives", color: FRONTIER, symbol: "circle", symbolSize: 8, lineStyle: {width: 1.8}, z: 3,
        data: points.map(point => ({value: [point.x, point.y], sentence: point.capacity.sentence}))},
      ...points.filter(point => point.capacity.finding.kind !== "lessThan").map(bar),
      ...Object.entries(OUTCOMES).map(([outcome, [name, colour, symbol]]) => ({type: "scatter", name: "run: " + name, color: colour, symbol, z: 5,
        data: runs.filter(run => run.outcome === outcome)}))];
    return option;
  }

  function notes(capacity) {
    const first = capacity.trials.filter(trial => trial.outcome === "notMet").sort((a, b) => a.load - b.load)[0];
    const said = [];
    if (capacity.gaveOut.length) {
      said.push(el("li", {}, el("b", {}, "Gave out first: "), capacity.gaveOut.join("; ")));
    } else if (first) {
      said.push(el("li", {}, "Nothing that was watched was used up; first missed, at ", `${short(first.load)} ${UNITS[capacity.varied]}: `, first.why.join("; ")));
    }
    return el("ul", {}, said);
  }

  function section(capacity, index) {
    const runs = table("runs", [["run", "text"], [UNITS[capacity.varied], ""], ["p50, ms", ""], ["p95, ms", ""], ["p99, ms", ""], ["answers/s", ""], ["events/s", ""], ["outcome", "text wrap"]],
      capacity.trials.map((trial, number) => [String(number + 1), short(trial.load), millis(trial.p50Micros), millis(trial.p95Micros), millis(trial.p99Micros),
        short(trial.searchesPerSecond), trial.eventsPerSecond > 0 ? short(trial.achievedEventsPerSecond) : "–", words(trial)]));
    const drawn = timed(capacity);
    const percentile = ["p95", "p99", "p50"].find(one => drawn.length && limit(drawn[0].subject, one) !== null) || "p95";
    return el("section", {}, el("h2", {}, data.capacities.length > 1 ? capacity.sentence : "How that was found"), notes(capacity),
      drawn.length > 1 && [
        how("Each point is one run. The line in colour is the largest load that meets the objectives, the band behind it where it lies with a probability of 95 %."),
        chart("time-" + index, `response time ${percentile} over ${UNITS[capacity.varied]}`, look => responseTimes(look, capacity, percentile), 320),
        chart("throughput-" + index, `answers a second over ${UNITS[capacity.varied]}`, look => throughput(look, capacity), 260)],
      el("h3", {}, "Runs in their order"), runs);
  }

  document.getElementById("head").append(el("h1", {}, "Capacity: " + data.question.scenario),
    how("The largest load up to which more than half of the runs meet all objectives: " + data.question.objectives.join(", ") + "."),
    data.capacities.length === 1 ? el("p", {}, el("strong", {}, data.capacities[0].sentence))
      : el("ul", {}, data.capacities.map(capacity => el("li", {}, el("strong", {}, capacity.sentence)))));
  const main = document.getElementById("main");
  const frontierTable = ([first, second]) => table("points", [[UNITS[second], "text"], [UNITS[first], ""], ["95 % interval", "text"], ["runs", ""], ["not valid", ""], ["gave out or was missed first", "text wrap"]],
    data.capacities.map(capacity => {
      const {kind, estimate, low, high} = capacity.finding;
      const found = (KNOWN.includes(kind) ? {roughly: "about ", atLeast: "at least ", notMeasurable: "at least "}[kind] ?? "" : "") + (KNOWN.includes(kind) ? short(estimate) : kind === "lessThan" ? "none" : "not known");
      const missed = capacity.trials.filter(trial => trial.outcome === "notMet").sort((a, b) => a.load - b.load)[0];
      return [short(capacity.beside[second]), found,
        ["found", "roughly"].includes(kind) ? `${short(low)} to ${short(high)} ${UNITS[capacity.varied]}` : "", String(capacity.trials.length),
        String(capacity.trials.filter(trial => trial.outcome === "invalid").length), capacity.gaveOut[0] ?? (missed ? missed.why[0] : "")];
    }));
  if (data.question.varied.length > 1) {
    main.append(el("section", {}, el("h2", {}, "Both at once"),
      how("Loads in the green area meet all objectives, those in the red one do not; of those between nothing is known for certain. It is taken for granted that more of either load is never borne better. Bars are 95 % intervals. Each small point is a run, and a triangle at the edge one beyond it."),
      data.capacities.length > 1 && chart("frontier", "largest loads that meet the objectives", frontier, 420),
      frontierTable(data.question.varied.map(range => range.varied))));
  }
  data.capacities.forEach((capacity, index) => main.append(section(capacity, index)));
  const invalid = data.capacities.flatMap(capacity => capacity.trials).filter(trial => trial.outcome === "invalid").length;
  if (invalid > 0) {
    main.append(note(plural(invalid, "run was not valid and says nothing of its load.", "runs were not valid and say nothing of their loads.")));
  }
  drawFromNowOn();
})();
