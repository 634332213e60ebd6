"use strict";

/* The charts of comparisons, each a function from a member of the page's data to an option of ECharts: no elements, no state. */
const comparisonCharts = (() => {
  const {COLOURS, base, axisLook, grids, overTitle, line, number} = charts;
  const SYMBOLS = ["circle", "triangle", "diamond", "rect", "roundRect"];
  /** Values need a logarithmic axis if they differ by more than this factor. */
  const WIDE = 5;
  const VERDICTS = [["BETTER", "better", "#2f9e5f"], ["WORSE", "worse", "#d0453a"], ["SAME", "the same", "#4477aa"], ["UNCLEAR", "not decided", "#a67c00"]];

  // ---- figures in words ----------------------------------------------------------------------------------------------

  const unique = list => [...new Set(list)];
  const cells = one => one.experiment.variants.map(cell => cell.label);
  const words = (one, metric) => one.metrics[metric] || {title: metric, unit: "", per: 1};
  /** The title of an axis for a metric: "time to last event, ms", "events/s". */
  const named = ({title, unit}, of = "") => title + of + (unit && !unit.startsWith("/") ? ", " : "") + unit;
  const colour = (one, cell) => COLOURS[Math.max(0, cells(one).indexOf(cell)) % COLOURS.length];
  const symbol = (one, cell) => SYMBOLS[Math.max(0, cells(one).indexOf(cell)) % SYMBOLS.length];

  /** Subjects that have this metric: those that the experiment names, or all if it names none of them. */
  function subjects(one, metric) {
    const measured = unique(one.figures.filter(series => series.metric === metric).map(series => series.subject));
    const wanted = measured.filter(subject => one.experiment.subjects.includes(subject));
    return wanted.length > 0 ? wanted : measured;
  }

  function series(one, subject, metric, cell) {
    return one.figures.find(found => found.subject === subject && found.metric === metric && found.variant === cell);
  }

  function median(one, subject, metric, cell) {
    const found = series(one, subject, metric, cell);
    return found === undefined ? undefined : found.median;
  }

  const shown = (one, metric, value) => value === undefined || value === null ? "–"
    : number(value / words(one, metric).per, 3) + (words(one, metric).unit ? " " + words(one, metric).unit : "");

  /** The ratio to the baseline with its interval, one row for each verdict; a band for changes that do not matter. The axis is logarithmic if ratios are far from 1. */
  function forest(one, verdicts, look) {
    const option = base(look);
    const factor = 1 + one.experiment.smallest;
    const low = Math.max(1e-6, Math.min(1 / factor, ...verdicts.map(verdict => verdict.decision.ratio.low)) * 0.98);
    const high = Math.max(factor, ...verdicts.map(verdict => verdict.decision.ratio.high)) * 1.02;
    const row = verdict => forestLabel(one, verdict);
    const width = Math.min(look.narrow ? 116 : 260, 20 + 7 * Math.max(...verdicts.map(verdict => row(verdict).length)));
    option.grid = {left: width + 12, right: 24, top: 26, bottom: 38};
    option.xAxis = {...axisLook(look, ""), min: low, max: high, ...high / low < 3 ? {type: "value"} : {type: "log", logBase: high / low < 50 ? 2 : 10},
      axisLabel: {color: look.muted, hideOverlap: true, showMinLabel: false, showMaxLabel: false, formatter: ratio => number(ratio, 3) + "×"}};
    option.yAxis = {...axisLook(look, ""), type: "category", inverse: true, data: verdicts.map(row), splitLine: {show: false},
      axisLine: {show: false}, axisLabel: {color: look.text, width, overflow: "truncate", interval: 0}};
    option.series = verdicts.map((verdict, index) => {
      const {low: from, high: to} = verdict.decision.ratio;
      const ink = VERDICTS.find(([name]) => name === verdict.decision.verdict)[2];
      return line("interval " + index, [[Math.max(from, low), index], [to, index]], ink,
          {lineStyle: {width: 2.2, color: ink}, silent: true, tooltip: {show: false}, symbol: "rect", symbolSize: [2, 9], showSymbol: true,
            itemStyle: {color: ink}});
    });
    VERDICTS.forEach(([name, title, ink]) => {
      const of = verdicts.map((verdict, index) => [verdict, index]).filter(([verdict]) => verdict.decision.verdict === name);
      if (of.length > 0) {
        option.series.push({type: "scatter", name: title, color: ink, symbolSize: 11, z: 6,
          itemStyle: name === "UNCLEAR" ? {color: look.page, borderColor: ink, borderWidth: 2} : {borderColor: look.page, borderWidth: 1},
          symbol: {BETTER: "circle", WORSE: "diamond", SAME: "rect", UNCLEAR: "circle"}[name],
          data: of.map(([verdict, index]) => ({value: [verdict.decision.ratio.estimate, index], sentence: verdict.sentence}))});
      }
    });
    option.series[0].markArea = {silent: true, itemStyle: {color: look.shade}, data: [[{xAxis: 1 / factor}, {xAxis: factor}]]};
    option.series[0].markLine = {silent: true, symbol: "none", label: {show: false}, lineStyle: {color: look.text, type: "solid", width: 1}, data: [{xAxis: 1}], animation: false};
    option.legend = {...option.legend, data: VERDICTS.map(([, title]) => title).filter(title => option.series.some(found => found.name === title))};
    option.tooltip = {...option.tooltip, trigger: "item", formatter: wrapped(item => item.data.sentence)};
    return option;
  }

  function forestLabel(one, verdict) {
    return cells(one).length > 2 ? verdict.subject + " · " + verdict.candidate : verdict.subject;
  }

  const escaped = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const wrapped = text => item => "<div style=\"max-width:22rem;white-space:normal\">" + escaped(text(item)) + "</div>";

  // ---- runs ----------------------------------------------------------------------------------------------------------

  /** Every run as a dot in the order of execution; for all subjects, values are relative to the median of their variant, so that only drift and noise are left. */
  function runs(one, subject, look) {
    const option = base(look);
    const metric = one.experiment.metric.name;
    const chosen = subject === "" ? subjects(one, metric) : [subject];
    const {per} = words(one, metric);
    const relative = subject === "";
    const dots = cell => one.runs.filter(run => run.variant === cell).flatMap(run => chosen.flatMap(name => {
      const found = series(one, name, metric, cell);
      const value = found && found.values[run.block];
      return value === undefined || (relative && found.median === 0) ? [] : [{value: [run.position, relative ? 100 * (value / found.median - 1) : value / per],
        text: "run " + run.position + ", " + cell + ", " + name + ": " + shown(one, metric, value)}];
    }));
    option.series = cells(one).map(cell => ({type: "scatter", name: cell, data: dots(cell), color: colour(one, cell), symbol: symbol(one, cell),
      symbolSize: relative ? 7 : 10, itemStyle: {opacity: relative ? 0.75 : 1}}));
    const invalid = one.runs.filter(run => run.invalid.length > 0);
    option.series[0].markLine = {silent: true, symbol: "none", data: [
      ...relative ? [{yAxis: 0, label: {show: false}, lineStyle: {color: look.faint, type: "solid"}}] : [],
      ...invalid.map(run => ({xAxis: run.position, label: {show: false}, lineStyle: {color: look.faint, type: "dashed"}}))]};
    option.tooltip = {...option.tooltip, trigger: "item", formatter: wrapped(item => item.data.text)};
    return overTitle(look, option, {...axisLook(look, "runs in the order of execution"), type: "value", min: 0.5, max: Math.max(0, ...one.runs.map(run => run.position)) + 0.5,
      splitLine: {show: false}, minInterval: 1, axisLabel: {color: look.muted, formatter: value => Number.isInteger(value) ? value : ""}},
    {...axisLook(look, relative ? "% off the variant's median" : named(words(one, metric))), type: "value", scale: true,
      axisLabel: {color: look.muted, formatter: value => (relative && value > 0 ? "+" : "") + number(value, 3)}});
  }

  // ---- kinds ---------------------------------------------------------------------------------------------------------

  /** An axis from a power of ten below all values; with `room`, from below the smallest value, so that this value also has a bar. */
  function logAxis(look, name, values, room = 0) {
    const least = Math.min(...values.filter(value => value > 0));
    return {...axisLook(look, name), type: "log", min: Number.isFinite(least) ? 10 ** Math.floor(Math.log10(least) - room + 1e-9) : 1,
      axisLabel: {color: look.muted, formatter: value => number(value, 3)}};
  }

  /** The width of the longest label of a logarithmic axis, or the width that suits most charts if that is larger. */
  function labelRoom(values) {
    const longest = number(10 ** Math.ceil(Math.log10(Math.max(1, ...values.filter(value => value > 0)))), 3).length;
    return Math.max(62, 14 + 7 * longest);
  }

  /** Bars as on the source's slides: searches side by side, time on a logarithmic axis, one colour for each variant. */
  function slides(one, metric, look) {
    const option = base(look);
    const {per} = words(one, metric);
    const names = subjects(one, metric);
    option.series = cells(one).map(cell => ({type: "bar", name: cell, color: colour(one, cell), barMaxWidth: 34, barGap: "6%",
      data: names.map(name => {
        const value = median(one, name, metric, cell);
        return value > 0 ? value / per : null;
      }),
      tooltip: {valueFormatter: value => value === null || value === undefined ? "–" : shown(one, metric, value * per)}}));
    option.tooltip = {...option.tooltip, axisPointer: {type: "shadow"}};
    option.grid = grids(look, option, [1]);
    const long = Math.max(...names.map(name => name.length)) * 7 * names.length > look.width - 80;
    option.grid[0].height -= long ? 44 : 0;
    option.grid[0].left = labelRoom(option.series.flatMap(found => found.data));
    option.xAxis = {...axisLook(look, ""), type: "category", data: names, splitLine: {show: false},
      axisLabel: {color: look.text, interval: 0, rotate: long ? 40 : 0, width: 110, overflow: "truncate"}};
    option.yAxis = logAxis(look, named(words(one, metric)) + ", log scale", option.series.flatMap(found => found.data), 0.05);
    return option;
  }

  /** A logarithmic axis if the values are far apart, else one from somewhat below the smallest value. */
  function spreadAxis(look, name, values) {
    return Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > WIDE ? logAxis(look, name + ", log scale", values)
      : {...axisLook(look, name), type: "value", scale: true, boundaryGap: ["8%", "8%"], axisLabel: {color: look.muted, formatter: value => number(value, 3)}};
  }

  /** The costs of each variant by its gains: the best variants are on the line. */
  function pareto(one, read, other, look) {
    const option = base(look);
    const x = words(one, read.metric);
    const y = words(one, other.metric);
    const points = paretoPoints(one, read, other);
    option.series = points.map(point => ({type: "scatter", name: point.cell, color: colour(one, point.cell), symbol: symbol(one, point.cell), symbolSize: 14,
      z: 5, data: [{value: [point.x / x.per, point.y / y.per], text: point.cell + ": " + shown(one, read.metric, point.x) + ", " + shown(one, other.metric, point.y)}],
      label: {show: true, formatter: point.cell, position: "top", color: look.text, fontSize: 12}, labelLayout: {moveOverlap: "shiftY"}}));
    const best = points.filter(point => point.best).sort((a, b) => a.x - b.x).map(point => [point.x / x.per, point.y / y.per]);
    option.series.push(line("no variant is better in both", best, look.muted, {lineStyle: {type: "dashed", width: 1.4}, silent: true, showSymbol: false, tooltip: {show: false}}));
    option.tooltip = {...option.tooltip, trigger: "item", formatter: wrapped(item => item.data.text || "")};
    option.legend = {...option.legend, data: ["no variant is better in both"]};
    return overTitle(look, option, spreadAxis(look, named(x, " of " + read.subject), points.map(point => point.x / x.per)),
      spreadAxis(look, named(y) + (y.moreIsBetter ? ": more is better" : ": less is better"), points.map(point => point.y / y.per)), {left: 72, right: 40});
  }

  /** Variants with both figures. A variant is among the best if no other one is better in one figure and not worse in the other. */
  function paretoPoints(one, read, other) {
    const sign = metric => words(one, metric).moreIsBetter ? -1 : 1;
    const points = cells(one).map(cell => ({cell, x: median(one, read.subject, read.metric, cell), y: median(one, other.subject, other.metric, cell)}))
      .filter(point => point.x !== undefined && point.y !== undefined);
    const x = point => sign(read.metric) * point.x;
    const y = point => sign(other.metric) * point.y;
    points.forEach(point => {
      point.best = !points.some(rival => x(rival) <= x(point) && y(rival) <= y(point) && (x(rival) < x(point) || y(rival) < y(point)));
    });
    return points;
  }

  /** From steps like "HAWAT3 page 1000": the searches, and the pages of each. */
  function pages(one) {
    const metric = one.experiment.metric.name;
    const found = {};
    subjects(one, metric).forEach(subject => {
      const match = /^(.*?),? page (\d+)$/.exec(subject);
      if (match) {
        (found[match[1]] = found[match[1]] || []).push({page: Number(match[2]), subject});
      }
    });
    Object.values(found).forEach(list => list.sort((a, b) => a.page - b.page));
    return found;
  }

  /** For each page, the old and the new plan if the plan differs from that of the page before, else an empty text. */
  function planChanges(one, cell, depths) {
    const shape = subject => (Object.hasOwn(one.plans, subject) && one.plans[subject][cell] || []).join(" or ");
    return depths.map(({subject}, index) => {
      const now = shape(subject);
      const before = index === 0 ? now : shape(depths[index - 1].subject);
      return now !== "" && before !== "" && now !== before ? before + " → " + now : "";
    });
  }

  /** Gives the lines of a chart the deciding metric as axis, and a text for each point. */
  function withPoints(one, look, option, xAxis) {
    const values = option.series.flatMap(found => found.data.map(point => point.value[1]));
    option.tooltip = {...option.tooltip, trigger: "item", formatter: wrapped(item => item.data.text)};
    return overTitle(look, option, xAxis, logAxis(look, named(words(one, one.experiment.metric.name)) + ", log scale", values), {left: labelRoom(values)});
  }

  /** Time by the depth of the page for each way of paging; a large mark is a change of plan. */
  function depth(one, search, look) {
    const option = base(look);
    const metric = one.experiment.metric.name;
    const {per} = words(one, metric);
    const depths = pages(one)[search] || [];
    option.series = cells(one).map(cell => {
      const changes = planChanges(one, cell, depths);
      return line(cell, depths.map(({page, subject}, index) => {
        const value = median(one, subject, metric, cell);
        return value > 0 ? {value: [page, value / per], symbolSize: changes[index] ? 15 : 7, symbol: changes[index] ? "diamond" : symbol(one, cell),
          text: cell + ", page " + page + ": " + shown(one, metric, value) + (changes[index] ? "; another plan: " + changes[index] : "")} : null;
      }).filter(point => point !== null), colour(one, cell), {showSymbol: true, lineStyle: {width: 2}});
    });
    return withPoints(one, look, option, logAxis(look, "page, log scale", depths.map(({page}) => page)));
  }

  /** For each subject with medians above 0 at two or more numbers of the axis: these medians, and their factors to the median at the smallest number. */
  function grown(one) {
    const metric = one.experiment.metric.name;
    return one.withheld.length > 0 ? [] : subjects(one, metric).map(subject => {
      const points = cells(one).map(cell => ({n: Number(cell.replaceAll("_", "")), found: series(one, subject, metric, cell)}))
        .filter(({n, found}) => n > 0 && found !== undefined && found.median > 0 && found.bounds.length === 0)
        .map(({n, found}) => ({n, median: found.median}));
      const first = points.reduce((least, point) => point.n < least.n ? point : least, points[0]);
      return {subject, metric, points: points.map(point => ({...point, factor: point.median / first.median}))};
    }).filter(found => found.points.length > 1);
  }

  /** A value by the numbers of the axis, one line for each subject. */
  function growth(one, look) {
    const option = base(look);
    const metric = one.experiment.metric.name;
    const {per} = words(one, metric);
    const all = grown(one);
    option.series = all.map((found, index) => line(found.subject, found.points.map(point => ({value: [point.n, point.median / per],
        text: found.subject + " at " + number(point.n, 6) + ": " + shown(one, metric, point.median) + ", " + number(point.factor, 3) + " times the first"})),
        COLOURS[index % COLOURS.length], {showSymbol: true, symbol: SYMBOLS[index % SYMBOLS.length], symbolSize: 8, lineStyle: {width: 2}}));
    return withPoints(one, look, option, logAxis(look, one.axis + ", log scale", all.flatMap(found => found.points.map(point => point.n))));
  }

  return {forest, runs, slides, pareto, depth, growth, grown, unique, cells, words, colour, subjects, median, shown, pages,
    planChanges};
})();
