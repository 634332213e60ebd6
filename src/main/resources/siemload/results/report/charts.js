"use strict";

/*
 * The charts, each a function from the report's data to an option of ECharts: no elements, no state. `look` holds the
 * colours of the page. Times come as microseconds and are shown as milliseconds.
 */
const charts = (() => {
  const SEARCH_COLOURS = ["#4477aa", "#e0604c", "#2f9e5f", "#c29a00", "#34a3c9", "#a8417f", "#8a6d3b", "#7a63c7",
    "#00897b", "#d9822b", "#5c7a29", "#b05fc0", "#3f6fd8", "#8c8c8c"];
  const IO_COLOURS = {data: "#4477aa", index: "#e08a3c", redo: "#a8417f", undo: "#c29a00", temp: "#2f9e5f", rest: "#8c8c8c"};
  const CPU_PARTS = [["databaseCpuRatio", "database", "#4477aa"], ["generatorCpuRatio", "load generator", "#e08a3c"],
    ["otherCpuRatio", "other programs", "#8c8c8c"], ["kernelCpuRatio", "threads of the kernel", "#7a63c7"], ["iowaitRatio", "waiting for disks", "#c0453a"],
    ["stealRatio", "stolen by the hypervisor", "#a8417f"]];
  const CPU_TIMES = [["userRatio", "user", "#4477aa"], ["systemRatio", "system", "#e08a3c"], ["iowaitRatio", "waiting for disks", "#c0453a"],
    ["stealRatio", "stolen by the hypervisor", "#a8417f"]];
  const MEGA = 1e6;
  const GIGA = 1e9;

  const number = (value, digits) => new Intl.NumberFormat("en", {maximumSignificantDigits: digits}).format(value);
  const millis = value => value === null || value === undefined ? "–" : number(value, 3) + " ms";
  const unit = name => value => value === null || value === undefined ? "–" : number(value, 3) + " " + name;
  const perMilli = value => value === null || value === undefined ? null : value / 1000;

  function clock(seconds) {
    if (Math.abs(seconds) < 120) {
      return seconds + " s";
    }
    const rest = Math.abs(seconds) % 60;
    return (seconds < 0 ? "−" : "") + Math.floor(Math.abs(seconds) / 60) + ":" + String(rest).padStart(2, "0");
  }

  const seconds = (axis, index) => axis.first + index * axis.step;
  const points = (values, change) => values.map(value => value === null ? null : change(value));
  const colourOf = (names, name) => SEARCH_COLOURS[names.indexOf(name) % SEARCH_COLOURS.length];
  const searchNames = searches => Object.keys(searches).filter(name => name !== "all");

  /** The height of the legend at the bottom, which wraps; ECharts does not report the number of the legend's lines. */
  function legendHeight(look, names) {
    let lines = 1;
    let width = 0;
    for (const name of new Set(names)) {
      const needed = 32 + 6.6 * name.length;
      if (width + needed > look.width && width > 0) {
        lines++;
        width = 0;
      }
      width += needed;
    }
    return 6 + 20 * lines;
  }

  function base(look) {
    return {
      animation: false,
      backgroundColor: "transparent",
      textStyle: {fontFamily: look.font, color: look.text},
      legend: {bottom: 4, padding: 0, icon: "roundRect", itemWidth: 12, itemHeight: 8, itemGap: 12,
        textStyle: {color: look.text, fontSize: 12}, inactiveColor: look.faint},
      tooltip: {trigger: "axis", confine: true, backgroundColor: look.panel, borderColor: look.line,
        textStyle: {color: look.text, fontSize: 12}, axisPointer: {type: "line", lineStyle: {color: look.faint}}}
    };
  }

  function axisLook(look, name) {
    return {
      name, nameLocation: "end", nameGap: 9, nameTextStyle: {color: look.muted, align: "left"},
      axisLabel: {color: look.muted}, axisLine: {lineStyle: {color: look.line}}, axisTick: {show: false},
      splitLine: {lineStyle: {color: look.line, type: [2, 3]}}, minorSplitLine: {show: false}
    };
  }

  /** An axis of categories, since ECharts stacks areas only on these; labels are at round seconds. */
  function timeAxis(look, axis, more) {
    const all = Array.from({length: axis.points}, (unused, index) => seconds(axis, index));
    const round = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400]
      .find(length => axis.points * axis.step / length <= (look.narrow ? 6 : 12)) || 28800;
    return {...axisLook(look, ""), type: "category", boundaryGap: false, data: all.map(String),
      axisLabel: {color: look.muted, formatter: second => clock(Number(second)), hideOverlap: true,
        interval: index => Math.floor(all[index] / round) !== Math.floor((all[index] - axis.step) / round)},
      splitLine: {show: false}, ...more};
  }

  /** The warm-up in grey. */
  function warmup(look, axis) {
    const end = Math.ceil(-axis.first / axis.step);
    return end <= 0 ? undefined : {silent: true, itemStyle: {color: look.shade}, label: {color: look.muted, position: "insideTop", fontSize: 11},
      data: [[{name: "warm-up", xAxis: 0, label: {show: end / axis.points * look.width > 80}}, {xAxis: Math.min(end, axis.points - 1)}]]};
  }

  /** Lines at the start and the end of the removal of the oldest day. */
  function removals(look, data, labels) {
    const place = second => Math.max(0, Math.min((second - data.axis.first) / data.axis.step, data.axis.points - 1));
    const lines = ((data.run && data.run.retention) || []).filter(one => !one.failure).flatMap(one =>
      [one.fromSecond, one.fromSecond + one.tookMicros / 1e6].map((second, end) => ({xAxis: Math.round(place(second)),
        label: {show: labels && end === 0, formatter: "oldest day removed", position: "insideEndTop", color: look.muted, fontSize: 11}})));
    return lines.length === 0 ? undefined : {silent: true, symbol: "none", lineStyle: {color: "#c0453a", type: "dashed", width: 1}, data: lines};
  }

  /** Places for charts above each other, by their shares of the height, and the legend below them. */
  function grids(look, option, shares) {
    const legend = legendHeight(look, option.series.map(series => series.name));
    const gap = 30;
    const room = look.height - legend - 30 - gap * shares.length;
    let top = gap;
    return shares.map(share => {
      const place = {left: 50, right: 26, top, height: Math.max(40, room * share)};
      top += place.height + gap;
      return place;
    });
  }

  /** Charts above each other on one axis of time, each with the warm-up: `panels` are [share of the height, title of the values, more of their axis]. */
  function overTime(look, axis, option, panels, ofGrids = option) {
    panels.forEach((unused, index) => {
      const own = option.series.filter(series => (series.xAxisIndex || 0) === index);
      if (own.length > 0 && !own.some(series => series.markArea)) {
        own[0].markArea = warmup(look, axis);
      }
    });
    option.tooltip = {...option.tooltip, axisPointer: {...option.tooltip.axisPointer, label: {show: false}}};
    option.axisPointer = {link: [{xAxisIndex: "all"}]};
    option.grid = grids(look, ofGrids, panels.map(([share]) => share));
    option.xAxis = panels.map((unused, index) => timeAxis(look, axis, {gridIndex: index, ...index < panels.length - 1 && {axisLabel: {show: false}}}));
    option.yAxis = panels.map(([, name, more], index) => ({...axisLook(look, name), type: "value", gridIndex: index, ...more}));
    return option;
  }

  /** One chart, with the title of its axis and then the legend below. */
  function overTitle(look, option, xAxis, yAxis, more) {
    const [place] = grids(look, option, [1]);
    option.grid = {...place, height: place.height - 20, ...more};
    option.xAxis = {...xAxis, nameLocation: "middle", nameGap: 26, nameTextStyle: {color: look.muted}};
    option.yAxis = yAxis;
    return option;
  }

  function line(name, data, colour, more) {
    return {type: "line", name, data, color: colour, showSymbol: false, lineStyle: {width: 1.6}, ...more};
  }

  const logMillis = look => ({type: "log", axisLabel: {color: look.muted, formatter: value => number(value, 3)}});

  /** Response times of each search over the feeder's rate and backlog, on one time axis. */
  function latency(data, look, percentile) {
    const option = base(look);
    const axis = data.axis;
    const names = searchNames(data.latency);
    const load = !data.run || data.run.feeder.eventsPerSecond > 0 ? data.load : undefined;
    const dots = axis.points <= 90;
    const series = names.map(name => line(name, points(data.latency[name][percentile], perMilli),
        colourOf(names, name), {connectNulls: true, showSymbol: dots, symbol: "circle", symbolSize: 4, lineStyle: {width: 1, opacity: 0.55},
          tooltip: {valueFormatter: millis}}));
    if (data.latency.all) {
      series.push(line("all", points(data.latency.all[percentile], perMilli), look.text,
          {connectNulls: true, lineStyle: {width: 2.2}, z: 5, tooltip: {valueFormatter: millis}}));
    }
    if (series.length > 0) {
      series[series.length - 1].markArea = warmup(look, axis);
      series[series.length - 1].markLine = removals(look, data, true);
    }
    const below = {xAxisIndex: 1, yAxisIndex: 1};
    if (load) {
      series.push(line("fed events/s", points(load.eventsAcknowledged, value => value), "#2f9e5f",
          {...below, step: "middle", areaStyle: {opacity: 0.15}, markLine: removals(look, data, false),
            tooltip: {valueFormatter: unit("events/s")}}));
      if (load.eventsDue) {
        series.push(line("asked for", points(load.eventsDue, value => value), look.muted,
            {...below, step: "middle", lineStyle: {width: 1.4, type: "dashed"}, z: 4, tooltip: {valueFormatter: unit("events/s")}}));
      }
      series.push(line("backlog", points(load.eventsBehind, value => value), "#c0453a",
          {...below, tooltip: {valueFormatter: unit("events due")}}));
    }
    option.series = series;
    return overTime(look, axis, option, [[load ? 0.72 : 1, "ms, log scale", logMillis(look)], ...load ? [[0.28, "events/s, events", {splitNumber: 2}]] : []]);
  }

  /** Times by percentile on a logarithmic axis of rareness, so that the tail gets as much room as the middle. */
  function spectrum(spectra, look, metric) {
    const option = base(look);
    const searches = spectra[metric];
    const names = searchNames(searches);
    const of = name => searches[name].map(([rarity, micros]) => [rarity, Math.max(micros, 1) / 1000]);
    option.series = names.map(name => line(name, of(name), colourOf(names, name), {lineStyle: {width: 1.3}}));
    if (searches.all) {
      option.series.push(line("all", of("all"), look.text, {lineStyle: {width: 2.4}, z: 5}));
    }
    option.tooltip = {...option.tooltip, valueFormatter: millis, axisPointer: {type: "line", lineStyle: {color: look.faint}}};
    return overTitle(look, option, {...axisLook(look, "share at or below"), type: "log", min: 1, axisLabel: {color: look.muted, formatter: percentile},
      axisPointer: {label: {formatter: pointed => percentile(pointed.value)}}}, {...axisLook(look, "ms, log scale"), ...logMillis(look)});
  }

  function percentile(rarity) {
    return number(100 * (1 - 1 / rarity), rarity < 10 ? 3 : Math.ceil(Math.log10(rarity)) + 2) + " %";
  }

  /** Means of answered searches of one kind or several, since percentiles do not add up; `serverMicros` is the server's own mean time, if it is known. */
  function phases(searches, look, label, row) {
    const option = base(look);
    const told = search => search.serverMicros !== undefined;
    const late = search => search.latenessMicros.mean;
    const first = search => search.firstEventMicros.mean;
    const last = search => search.lastEventMicros.mean;
    const {server, way, fetching} = timeParts;
    const part = (name, colour, chosen, value) => ({type: "bar", name, stack: "time", color: colour, barMaxWidth: 15,
      data: searches.map(search => chosen(search) ? Math.max(0, value(search)) / 1000 : null), tooltip: {valueFormatter: millis}});
    option.tooltip = {...option.tooltip, axisPointer: {type: "shadow"}};
    option.series = [
      part("load generator late", "#aa3377", () => true, late),
      part("wait for a worker", "#c29a00", () => true, search => search.workerWaitMicros.mean - late(search)),
      searches.some(told) && part("server", "#e0604c", told, server),
      searches.some(told) && part("network and driver", "#7a63c7", told, way),
      searches.some(search => !told(search)) && part("to the first " + row, "#4477aa", search => !told(search), first),
      part("fetching", "#34a3c9", () => true, search => told(search) ? fetching(search) : last(search) - first(search))].filter(Boolean);
    return besideNames(option, look, searches.map(label), " ms", legendHeight(look, option.series.map(one => one.name)));
  }

  /** Bars with names on their left. ECharts measures the names in a narrower font than it draws, and would cut off their beginnings. */
  function besideNames(option, look, names, unit, legend) {
    const width = Math.min(look.narrow ? 150 : 320, 7.2 * Math.max(...names.map(name => name.length)));
    option.grid = {left: width + 12, right: 34, top: 6, bottom: 30 + legend};
    option.xAxis = {...axisLook(look, ""), type: "value", min: 0, splitNumber: look.narrow ? 3 : 6, axisLabel: {color: look.muted, hideOverlap: true, formatter: value => number(value, 3) + unit}};
    option.yAxis = {...axisLook(look, ""), type: "category", inverse: true, data: names, splitLine: {show: false}, axisLabel: {color: look.text, width, overflow: look.narrow ? "truncate" : "break", interval: 0, fontSize: look.narrow ? 10 : 12}};
    return option;
  }

  /**
   * The parts of the time from a worker's start to the last event. The server still works while rows are fetched, so its time may be
   * longer than the time to the first event; then the rest of the whole time is fetching.
   */
  const timeParts = {
    server: search => Math.min(search.serverMicros, search.lastEventMicros.mean),
    way: search => Math.max(0, search.firstEventMicros.mean - search.serverMicros),
    fetching: search => Math.max(0, search.lastEventMicros.mean - Math.max(search.firstEventMicros.mean, search.serverMicros))};

  /** A bar for the median of each step, with a dot for each execution. */
  function steps(rows, look, title) {
    const option = base(look);
    const shown = rows.filter(row => row.values.length > 0);
    option.legend = {show: false};
    option.tooltip = {...option.tooltip, trigger: "item"};
    option.series = [
      {type: "bar", name: "median", color: "#4477aa", barMaxWidth: 15, data: shown.map(row => row.median)},
      {type: "scatter", name: "each time", color: look.text, symbolSize: 5, itemStyle: {opacity: 0.6},
        data: shown.flatMap(row => row.values.map(value => [value, row.name]))}];
    return besideNames(option, look, shown.map(row => row.name), title.endsWith(" ms") ? " ms" : "", 0);
  }

  function stacked(name, values, colour, stack, more) {
    return line(name, points(values, value => value), colour,
        {stack, areaStyle: {opacity: 0.55}, lineStyle: {width: 1}, ...more});
  }

  /** Reads above, writes below, by the purpose of the blocks; lines mark completed checkpoints. */
  function io(data, look) {
    const option = base(look);
    const categories = Object.keys(IO_COLOURS).filter(category => data.io[category]);
    const megabytes = values => values.map(value => value === null ? null : value / MEGA);
    const both = [["readBytes", 0], ["writtenBytes", 1]];
    option.series = both.flatMap(([column, index]) => categories.map(category =>
      stacked(category, megabytes(data.io[category][column]), IO_COLOURS[category], column,
          {xAxisIndex: index, yAxisIndex: index, tooltip: {valueFormatter: unit(index ? "MB/s written" : "MB/s read")}})));
    const completed = ((data.checkpoints || {}).value || []).flatMap((value, index) => value > 0 ? [{xAxis: index}] : []);
    option.series.slice(categories.length).slice(0, 1).forEach(written =>
      written.markLine = {silent: true, symbol: "none", lineStyle: {type: "dotted", color: look.text}, label: {show: false}, data: completed});
    return overTime(look, data.axis, option, [[0.5, "MB/s read", {splitNumber: 3}], [0.5, "MB/s written", {splitNumber: 3}]]);
  }

  function cpu(data, look) {
    const option = base(look);
    option.series = CPU_PARTS.filter(([column]) => data.host[column]).map(([column, name, colour]) =>
      stacked(name, data.host[column].map(value => value === null ? null : value * 100), colour, "cpu",
          {tooltip: {valueFormatter: unit("%")}}));
    return overTime(look, data.axis, option, [[1, "% of all CPUs", {min: 0, max: 100}]]);
  }

  /** The use of the CPUs, in the terms of sysstat. */
  function cpuTimes(data, look) {
    const option = base(look);
    option.series = CPU_TIMES.map(([column, name, colour]) =>
      stacked(name, points(data.host[column], value => value * 100), colour, "cpu", {tooltip: {valueFormatter: unit("%")}}));
    return overTime(look, data.axis, option, [[1, "% of all CPUs", {min: 0, max: 100}]]);
  }

  /** Memory in use, and below it the swapping, if there was any. */
  function memory(data, look) {
    const {host} = data;
    const option = base(look);
    const level = (name, column, colour, more) => host[column] && host[column].some(value => value > 0)
      ? [line(name, points(host[column], value => value / GIGA), colour, {tooltip: {valueFormatter: unit("GB")}, ...more})] : [];
    const swap = (name, values, colour) => line(name, points(values, value => value / MEGA), colour,
        {xAxisIndex: 1, yAxisIndex: 1, tooltip: {valueFormatter: unit("MB/s")}});
    const swapped = [...host.swapInBytes, ...host.swapOutBytes].some(value => value > 0);
    option.series = [...level("memory in use", "memoryUsedBytes", "#4477aa", {areaStyle: {opacity: 0.15}}), ...level("cache of files", "pageCacheBytes", "#2f9e5f"),
      ...swapped ? [swap("swapped in", host.swapInBytes, "#e08a3c"), swap("swapped out", host.swapOutBytes, "#c0453a")] : []];
    return overTime(look, data.axis, option, [[swapped ? 0.7 : 1, "GB", {min: 0}], ...swapped ? [[0.3, "MB/s", {min: 0, splitNumber: 2}]] : []]);
  }

  /** For each device, the megabytes above, the operations in the middle, and the busy share below. */
  function disks(data, look) {
    const option = base(look);
    const devices = Object.keys(data.disks);
    option.series = devices.flatMap((device, index) => {
      const values = data.disks[device];
      const colour = SEARCH_COLOURS[2 * index % SEARCH_COLOURS.length];
      const other = SEARCH_COLOURS[(2 * index + 1) % SEARCH_COLOURS.length];
      return [
        line(device + " read", points(values.readBytes, value => value / MEGA), colour, {tooltip: {valueFormatter: unit("MB/s")}}),
        line(device + " written", points(values.writtenBytes, value => value / MEGA), other, {tooltip: {valueFormatter: unit("MB/s")}}),
        line(device + " read", points(values.reads, value => value), colour,
            {xAxisIndex: 1, yAxisIndex: 1, tooltip: {valueFormatter: unit("reads/s")}}),
        line(device + " written", points(values.writes, value => value), other,
            {xAxisIndex: 1, yAxisIndex: 1, tooltip: {valueFormatter: unit("writes/s")}}),
        line(device + " busy", points(values.utilisationRatio, value => value * 100), colour,
            {xAxisIndex: 2, yAxisIndex: 2, lineStyle: {width: 1.6, type: "dashed"}, tooltip: {valueFormatter: unit("%")}})];
    });
    return overTime(look, data.axis, option,
        [[0.4, "MB/s", {splitNumber: 3}], [0.35, "operations/s", {splitNumber: 3}], [0.25, "% busy", {min: 0, max: 100, splitNumber: 2}]]);
  }

  return {latency, spectrum, phases, steps, io, cpu, cpuTimes, memory, disks, COLOURS: SEARCH_COLOURS, base, axisLook, grids, overTitle, line, number};
})();
