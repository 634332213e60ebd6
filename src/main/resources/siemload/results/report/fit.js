"use strict";

/* The fit of generated events to the events that they were learnt from: one chart for each field. */
(() => {
  const {data, places, el, how, note, whole, short, percent, table, chart, drawFromNowOn} = elements;
  const ORIGINAL = "#4477aa";
  const GENERATED = "#e08a3c";
  const MOST_BARS = 25;
  const NOTEWORTHY = 0.02;

  const sum = counts => counts.reduce((all, count) => all + count, 0);

  function shares(counts) {
    const all = sum(counts);
    return counts.map(count => all === 0 ? 0 : count / all);
  }

  function base(look) {
    const made = charts.base(look);
    made.legend = {show: true, top: 0, textStyle: {color: look.text}};
    made.tooltip.formatter = rows => echarts.format.encodeHTML(String(rows[0].axisValueLabel || rows[0].axisValue))
      + rows.map(row => `<br>${row.marker}${row.seriesName} <b>${percent(row.value)}</b>`).join("");
    return made;
  }

  /** One pair of bars for each cell. */
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
    made.series = [bar("original", fit.original, ORIGINAL), bar("generated", fit.generated, GENERATED)];
    return made;
  }

  function said(fit) {
    return `distance ${fit.distance.toFixed(4)}, by chance ${fit.byChance.toFixed(4)}; ${whole(sum(fit.original))} original and ${whole(sum(fit.generated))} generated`;
  }

  places.head.append(el("p", {class: "over"}, "siemload learn"), el("h1", {}, "How " + data.name + " fits its original"),
    how(`${data.description}. Each field of ${whole(data.lookedAt)} of ${whole(data.events)} original events is compared with the same number of generated events.`
      + " The distance is total variation: 0 means equal, 1 nothing in common. Sizes are grouped into cells, named by their smallest size. \"By chance\" is the average distance between two"
      + " samples of this size from the same distribution."),
    note("Privacy: this page, the data set and its profile contain no address of the original, and no name except those of IDEA"
      + " and well-known protocols. Ports, sizes, times and counts are not changed."));

  places.main.append(el("section", {}, el("h2", {}, "All fields"),
    table("All fields", [["field", "text"], ["distance", ""], ["by chance", ""], ["original", ""], ["generated", ""]],
      data.fits.map((fit, index) => [el("a", {href: "#field-" + index}, fit.name), 
        el("span", {class: fit.distance > 2 * fit.byChance && fit.distance > NOTEWORTHY ? "bad-text" : undefined}, fit.distance.toFixed(4)),
        fit.byChance.toFixed(4),
        whole(sum(fit.original)), whole(sum(fit.generated))]))));
  data.fits.forEach((fit, index) => {
    const more = fit.labels.length - MOST_BARS;
    const empty = sum(fit.original) + sum(fit.generated) === 0;
    places.main.append(el("section", {id: "field-" + index}, el("h2", {}, fit.name),
      how(`${said(fit)}.` + (more > 0 ? ` The chart shows the first ${MOST_BARS} cells; ${more} more cells are compared.` : "")),
      empty ? note("Neither the original nor the generated events have this field.") : chart("chart-" + index, `${fit.name}: ${said(fit)}`,
        look => bars(fit, look), 280)));
  });
  drawFromNowOn();
})();
