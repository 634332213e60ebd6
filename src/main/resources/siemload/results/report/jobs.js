"use strict";

/* The jobs of a procedure: a picture of each one, item by item. */
const jobs = (() => {
  const {el, whole, digits, plural, chart, redraw, choice} = elements;
  const PHASES = [["ramp-up", "#e08a3c"], ["steady part", "#4477aa"], ["tail", "#7a63c7"], ["failed", "#c0453a"]];
  const CPU = [["databaseCpuRatio", "database", "#4477aa"], ["generatorCpuRatio", "load generator", "#e08a3c"], ["otherCpuRatio", "other programs", "#8c8c8c"]];
  const NETWORK = [["networkReceivedBytes", "received", "#2f9e5f"], ["networkSentBytes", "sent", "#a8417f"]];
  const SPACE = 48;
  const LEFT = 54;
  const RIGHT = 26;

  const place = (item, column) => item[column];
  const START = 0;
  const END = 1;
  const SERVER = 2;
  const SESSION = 3;
  const FAILED = 4;
  const NUMBER = 5;

  /** An item that is still at work when the last one is started belongs to the tail, whenever it began. */
  function phase(job, item) {
    if (place(item, FAILED) > 0) {
      return "failed";
    }
    if (place(item, END) > job.lastStart && (job.steady || place(item, START) >= job.lastStart)) {
      return "tail";
    }
    return place(item, START) <= job.full ? "ramp-up" : "steady part";
  }

  /** How many items were at work from when on. */
  function inFlight(job) {
    const changes = job.changes.slice();
    changes.push([job.duration, 0]);
    return changes.map(([second, count]) => [second, count]);
  }

  function machine(data, job, column, scale) {
    const {first, step} = data.axis;
    return data.host[column].map((value, index) => [first + index * step - job.start, value === null ? null : value * scale])
      .filter(([second]) => second >= 0 && second <= job.duration + 1);
  }

  function valueAxis(look, name, more) {
    return {...charts.axisLook(look, name), type: "value", ...more};
  }

  /** The rows of the picture: an item each in the order of their starts, or a session each. */
  function rowsOf(job, view) {
    if (view === "items") {
      return {rows: job.items.map((item, index) => index), count: job.items.length};
    }
    const perServer = job.slots / job.servers;
    return {rows: job.items.map(item => (place(item, SERVER) - 1) * perServer + place(item, SESSION) - 1), count: job.slots};
  }

  /** Bars are dots of a width: the part of the chart library that the page has knows no other ones. */
  function ganttSeries(job, look, view, colouring, grid, height) {
    const {rows, count} = rowsOf(job, view);
    const groups = colouring === "server"
      ? Array.from({length: job.servers}, (unused, index) => ["server " + (index + 1), charts.COLOURS[index % charts.COLOURS.length]])
      : PHASES;
    const group = item => colouring === "server" ? "server " + place(item, SERVER) : phase(job, item);
    const pixels = (look.width - LEFT - RIGHT) / job.duration;
    const thick = Math.max(1.3, height / count * 0.8);
    return groups.map(([name, colour]) => ({type: "scatter", symbol: "rect", name, color: colour, xAxisIndex: grid, yAxisIndex: grid,
      symbolSize: value => [Math.max(1, (value[3] - value[2]) * pixels), thick],
      itemStyle: {opacity: 1, borderColor: look.page, borderWidth: thick > 4 ? 0.8 : 0}, tooltip: {trigger: "item", formatter: tip(job)},
      data: job.items.map((item, index) => ({name, group: group(item), value: [(place(item, START) + place(item, END)) / 2, rows[index], place(item, START),
        place(item, END), place(item, NUMBER), place(item, SERVER), place(item, SESSION), place(item, FAILED)]})).filter(one => one.group === name)}))
      .filter(series => series.data.length > 0);
  }

  function phaseAreas(job, look) {
    const part = (name, from, until) => until > from && [{name, xAxis: from, label: {show: (until - from) / job.duration * look.width > 70}}, {xAxis: until}];
    const areas = [part("ramp-up", 0, job.full), part("steady part", job.full, job.lastStart), part("tail", job.lastStart, job.duration)].filter(Boolean);
    return {silent: true, label: {color: look.muted, position: "insideTop", fontSize: 11}, data: areas.map((area, index) =>
      [{...area[0], itemStyle: {color: index % 2 ? "rgba(128,128,128,0.03)" : look.shade}}, area[1]])};
  }

  function tip(job) {
    return one => {
      const [, , from, until, number, server, session, failed] = one.value;
      return "item " + number + ": " + digits(2)(from) + " to " + digits(2)(until) + " s, session " + session + (job.servers > 1 ? " of server " + server : "")
        + (failed > 0 ? "; " + plural(failed, "search", "searches") + " failed" : "");
    };
  }

  /** Items at work over the bars of all items over what the machine did meanwhile, on one axis of seconds. */
  function picture(data, job, look, view, colouring) {
    const option = charts.base(look);
    const heights = partHeights(data, job, view);
    const network = heights.length > 3;
    const series = [charts.line("items at work", inFlight(job), look.text, {step: "end", xAxisIndex: 0, yAxisIndex: 0, lineStyle: {width: 1.4},
      markArea: phaseAreas(job, look), tooltip: {valueFormatter: whole}})];
    series.push(...ganttSeries(job, look, view, colouring, 1, heights[1]));
    const lines = (columns, grid, scale) => columns.map(([column, name, colour]) => charts.line(name, machine(data, job, column, scale), colour,
      {xAxisIndex: grid, yAxisIndex: grid}));
    if (data.host) {
      series.push(...lines(CPU, 2, 100));
    }
    if (network) {
      series.push(...lines(NETWORK, 3, 1e-6));
    }
    option.series = series;
    option.tooltip = {...option.tooltip, trigger: "item"};
    option.legend = {...option.legend, data: series.map(one => one.name)};
    let top = 26;
    option.grid = heights.map(height => {
      const grid = {left: LEFT, right: RIGHT, top, height};
      top += height + SPACE;
      return grid;
    });
    option.xAxis = heights.map((unused, index) => valueAxis(look, "", {gridIndex: index, min: 0, max: job.duration,
      axisLabel: {color: look.muted, hideOverlap: true, showMaxLabel: false, formatter: value => charts.number(value, 4) + " s"}}));
    const {count} = rowsOf(job, view);
    option.yAxis = [valueAxis(look, "items at work", {gridIndex: 0, min: 0, max: job.slots, splitNumber: 2}),
      valueAxis(look, view === "items" ? "items, by their start" : "sessions", {gridIndex: 1, inverse: true, min: -0.5, max: count - 0.5, nameLocation: "start",
        axisLabel: {color: look.muted, formatter: value => Number.isInteger(value) ? whole(value + 1) : ""}, splitLine: {show: false}}),
      valueAxis(look, "% of all CPUs", {gridIndex: 2, min: 0, max: 100, splitNumber: 2}),
      valueAxis(look, "network, MB/s", {gridIndex: 3, min: 0, splitNumber: 2})].slice(0, heights.length);
    return option;
  }

  /** A row for an item needs a pixel at least, one for a session some more. */
  function partHeights(data, job, view) {
    const rows = rowsOf(job, view).count;
    const gantt = view === "items" ? Math.max(160, Math.min(900, 5 * rows)) : Math.max(120, Math.min(700, 16 * rows));
    const moved = data.host && NETWORK.some(([column]) => data.host[column].some(value => value > 0));
    return [90, gantt, ...data.host ? [90] : [], ...moved ? [70] : []];
  }

  function totalHeight(data, job, view) {
    return partHeights(data, job, view).reduce((sum, height) => sum + height + SPACE, 26 + 30);
  }

  function pictures(data) {
    const all = data.jobs;
    let job = all[all.length - 1];
    let view = job.items.length > 200 ? "sessions" : "items";
    let colouring = "phase";
    const figure = chart("chart-job", "Gantt chart: a bar for each item of a job, by its session, below the number of items at work", look =>
      picture(data, job, look, view, colouring), totalHeight(data, job, view));
    const left = el("p", {class: "how"});
    const again = () => {
      figure.firstChild.style.height = totalHeight(data, job, view) + "px";
      left.textContent = job.items.length < job.count ? "Of " + whole(job.count) + " items every " + job.every + "th is drawn, in the order of their starts." : "";
      redraw(figure);
    };
    const named = all.map((one, index) => [String(index), whole(one.level) + (all.some(other => other !== one && other.level === one.level) ? " (job " + one.number + ")" : "")]).reverse();
    const switches = [
      choice("job", "Items", named, chosen => {
        job = all[Number(chosen)];
        again();
      }),
      choice("rows", "A row for each", view === "items" ? [["items", "item"], ["sessions", "session"]] : [["sessions", "session"], ["items", "item"]], chosen => {
        view = chosen;
        again();
      })];
    if (all.some(one => one.servers > 1)) {
      switches.push(choice("colours", "Colours by", [["phase", "phase"], ["server", "server"]], chosen => {
        colouring = chosen;
        again();
      }));
    }
    return [el("h3", {}, "Item by item"), switches, figure, left];
  }

  return {pictures};
})();
