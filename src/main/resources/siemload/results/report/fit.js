"use strict";

/* How generated events fit those that they were learnt from: one chart for each field. */
(() => {
  const {data, places, el, how, note, whole, short, percent, table, chart, drawFromNowOn} = elements;
  const ORIGINAL = "#4477aa";
  const GENERATED = "#e08a3c";
  const MOST_BARS = 25;
  const NOTEWORTHY = 0.02;
  const WORDS = {SHARES: "Total variation.", SIZES: "Kolmogorov-Smirnov, on cumulated shares.",
    LAW: "Values by how often they occurred, against what the law of popularity makes expected; total variation."};

  const sum = counts => counts.reduce((all, count) => all + count, 0);

  function shares(counts) {
    const all = sum(counts);
    return counts.map(count => all === 0 ? 0 : count / all);
  }

  function cumulated(counts) {
    let before = 0;
    return shares(counts).map(share => before = Math.min(1, before + share));
  }

  function base(look) {
    const made = charts.base(look);
    made.legend = {show: true, top: 0, textStyle: {color: look.text}};
    made.tooltip.formatter = rows => echarts.format.encodeHTML(String(rows[0].axisValueLabel || rows[0].axisValue))
      + rows.map(row => `<br>${row.marker}${row.seriesName} <b>${percent(Array.isArray(row.value) ? row.value[1] : row.value)}</b>`).join("");
    return made;
  }

  /** Bars for what has no order, one pair a cell. */
  function bars(fit, look) {
    const axis = charts.axisLook(look, "");
    const made = base(look);
    const cells = fit.labels.slice(0, MOST_BARS);
    const narrowLabels = Math.max(...cells.map(cell => cell.length)) <= 6;
    made.grid = {left: 56, right: 16, top: 34, bottom: narrowLabels ? 30 : 96};
    made.xAxis = {...axis, type: "category", data: cells, axisLabel: {color: look.muted, hideOverlap: narrowLabels, interval: narrowLabels ? "auto" : 0,
      rotate: narrowLabels ? 0 : 38, width: 130, overflow: "truncate"}};
    made.yAxis = {...axis, type: "value", axisLabel: {color: look.muted, formatter: value => short(100 * value) + " %"}};
    const bar = (name, counts, color) => ({name, type: "bar", data: shares(counts).slice(0, MOST_BARS), color, barGap: "10%", barCategoryGap: "25%"});
    made.series = [bar("original", fit.original, ORIGINAL), bar(fit.kind === "LAW" ? "expected" : "generated", fit.generated, GENERATED)];
    return made;
  }

  /** Cumulated shares over the size, whose logarithm is drawn where sizes are of many magnitudes. */
  function curves(fit, look) {
    const axis = charts.axisLook(look, "");
    const made = base(look);
    const sizes = fit.labels.map(Number);
    const wide = sizes[sizes.length - 1] > 100 * Math.max(1, sizes[0]);
    const points = counts => cumulated(counts).map((share, index) => [wide ? Math.max(1, sizes[index]) : sizes[index], share]);
    made.grid = {left: 56, right: 16, top: 34, bottom: 28};
    made.xAxis = {...axis, type: wide ? "log" : "value", scale: true, axisLabel: {color: look.muted, hideOverlap: true, formatter: short}};
    made.yAxis = {...axis, type: "value", max: 1, axisLabel: {color: look.muted, formatter: value => short(100 * value) + " %"}};
    const line = (name, counts, color, type) => ({name, type: "line", step: "end", data: points(counts), color, symbol: "none", lineStyle: {width: 2, type}});
    made.series = [line("original", fit.original, ORIGINAL, "solid"), line("generated", fit.generated, GENERATED, "dashed")];
    return made;
  }

  function said(fit) {
    const sizes = fit.kind === "LAW" ? `${whole(fit.originalCount)} values` : `${whole(fit.originalCount)} against ${whole(fit.generatedCount)}`;
    return `distance ${fit.distance.toFixed(4)}, by chance ${fit.byChance.toFixed(4)}; ${sizes}`;
  }

  places.head.append(el("p", {class: "over"}, "siemload learn"), el("h1", {}, "How " + data.name + " fits its original"),
    how(`${data.description}. Each field of ${whole(data.lookedAt)} of ${whole(data.events)} original events is held against ${whole(data.sampleEvents)} generated ones.`
      + " A distance of 0 means equal, 1 nothing in common. \"By chance\" is what it is on average between equals of so many"
      + " events."),
    note("Privacy: no address of the original stands in this page, in the data set or in its profile, and names do only where that was"
      + " asked for. Ports, sizes, times and counts are the original's."));

  places.main.append(el("section", {}, el("h2", {}, "All fields"),
    table("All fields", [["field", "text"], ["distance", ""], ["by chance", ""], ["original", ""], ["generated", ""]],
      data.fits.map((fit, index) => [el("a", {href: "#field-" + index}, fit.name), 
        el("span", {class: fit.distance > 2 * fit.byChance && fit.distance > NOTEWORTHY ? "bad-text" : undefined}, fit.distance.toFixed(4)),
        fit.byChance.toFixed(4),
        whole(fit.originalCount), whole(fit.generatedCount)]))));
  data.fits.forEach((fit, index) => {
    const more = fit.labels.length - MOST_BARS;
    const empty = fit.originalCount + fit.generatedCount === 0;
    places.main.append(el("section", {id: "field-" + index}, el("h2", {}, fit.name),
      how(`${said(fit)}. ${WORDS[fit.kind]}` + (fit.kind !== "SIZES" && more > 0 ? ` The first ${MOST_BARS} are drawn, ${more} more are compared.` : "")),
      empty ? note("Neither has any.") : chart("chart-" + index, `${fit.name}: ${said(fit)}`,
        look => fit.kind === "SIZES" ? curves(fit, look) : bars(fit, look), 280)));
  });
  places.main.append(el("section", {}, el("h2", {}, "Measured, and not generated"),
    data.unmodelled.length === 0 ? how("Nothing: the profile can say all that was measured.")
      : table("Measured, and not generated", [["what", "text wrap"], ["how often", ""]], data.unmodelled)));
  drawFromNowOn();
})();
