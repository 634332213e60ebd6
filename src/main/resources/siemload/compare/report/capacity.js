"use strict";

/* The largest load that meets the objectives: the answer, and charts of the runs by load. */
(() => {
  const {data: page, places, el, how, short, chart, report, drawFromNowOn} = elements;
  const data = page.result;
  const UNIT = {users: "users", eventsPerSecond: "events/s", arrivals: "arrivals/s"}[data.question.range.varied];
  const OUTCOMES = {met: ["met", "#2f9e5f", "circle"], notMet: ["not met", "#c0453a", "diamond"], invalid: ["not valid", "#8c8c8c", "emptyCircle"]};
  const KNOWN = ["found", "roughly", "atLeast", "notMeasurable"];
  const safe = text => echarts.format.encodeHTML(String(text));

  const words = trial => OUTCOMES[trial.outcome][0] + (trial.why.length ? ": " + trial.why.join("; ") : "");
  const timed = data.trials.filter(trial => trial.p95Micros > 0);

  function loadAxis(look) {
    const loads = data.trials.map(trial => trial.load);
    return {...charts.axisLook(look, ""), type: "log", name: UNIT, nameLocation: "middle", nameGap: 26,
      nameTextStyle: {color: look.muted}, min: Math.min(...loads) / 1.15, max: Math.max(...loads) * 1.15,
      axisLabel: {color: look.muted, formatter: short, hideOverlap: true}};
  }

  function interval(look) {
    const {kind, estimate, low, high} = data.finding;
    if (!KNOWN.includes(kind)) {
      return {};
    }
    return {
      markArea: {silent: true, itemStyle: {color: look.shade}, data: [[{xAxis: low}, {xAxis: high}]]},
      markLine: {silent: true, symbol: "none", lineStyle: {color: look.accent, width: 1.6},
        label: {color: look.text, formatter: short(estimate), position: "end"}, data: [{xAxis: estimate}]}};
  }

  /** Runs as points by load, over a line through the means of each load. */
  function overLoad(look, value, axis) {
    const option = charts.base(look);
    const trials = timed.filter(trial => value(trial) > 0);
    const loads = [...new Set(trials.map(trial => trial.load))].sort((a, b) => a - b);
    const mean = load => {
      const some = trials.filter(trial => trial.load === load && trial.outcome !== "invalid").map(value);
      return some.length ? some.reduce((sum, one) => sum + one, 0) / some.length : null;
    };
    option.tooltip = {...option.tooltip, trigger: "item", formatter: ({seriesType, data: point}) =>
      seriesType !== "scatter" ? "" : `${short(point.value[0])} ${UNIT}<br><b>${short(point.value[1])} ${axis.unit}</b><br>${safe(words(point.trial))}`};
    option.grid = {left: 62, right: 26, top: 30, bottom: 72};
    option.xAxis = loadAxis(look);
    option.yAxis = {...charts.axisLook(look, axis.name), type: axis.type, min: axis.type === "value" ? 0 : undefined,
      axisLabel: {color: look.muted, formatter: short}};
    option.series = [
      {type: "line", name: "mean of valid runs", data: loads.map(load => [load, mean(load)]).filter(point => point[1] !== null),
        color: look.faint, showSymbol: false, silent: true, lineStyle: {width: 1.4}, ...interval(look)},
      ...Object.entries(OUTCOMES).map(([outcome, [name, colour, symbol]]) => ({type: "scatter", name, color: colour, symbol, symbolSize: 9,
        data: trials.filter(trial => trial.outcome === outcome).map(trial => ({value: [trial.load, value(trial)], trial}))}))];
    return option;
  }

  const loads = () => timed.length > 1 && [
    how("Each point is one run. The coloured line is the largest load that meets the objectives; with a probability of 95 %, it is within the band."),
    chart("time", `response time p95 over ${UNIT}`, look =>
      overLoad(look, trial => trial.p95Micros / 1000, {name: `response time p95 of ${timed[0].subject}, ms`, unit: "ms", type: "log"}), 320),
    chart("throughput", `answers a second over ${UNIT}`, look =>
      overLoad(look, trial => trial.searchesPerSecond, {name: "answers/s", unit: "answers/s", type: "value"}), 260)];

  places.head.append(el("h1", {}, "Capacity: " + data.question.scenario),
    how("The largest load up to which more than half of the runs meet all objectives. Runs that are not valid do not count."));
  report(page.sections, {loads});
  drawFromNowOn();
})();
