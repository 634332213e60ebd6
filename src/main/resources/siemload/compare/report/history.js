"use strict";

/* One chart for each figure, grouped by the name of their gate or run. */
(() => {
  const {data: {entries, words}, places, el, how, short, chart, drawFromNowOn} = elements;
  const shown = (course, value) => (short(value / words[course.figure].per) + " " + words[course.figure].unit).trim();

  const isDoubtful = entry => ["invalid", "host too noisy"].includes(entry.outcome);

  /** The nights that have a figure. */
  function courseOf(name, figure) {
    const nights = entries.filter(entry => entry.name === name && Object.hasOwn(entry.figures, figure));
    return {name, figure, at: nights.map(night => night.at), labels: nights.map(night => night.label), values: nights.map(night => night.figures[figure]),
      doubtful: nights.map((night, index) => isDoubtful(night) ? index : -1).filter(index => index >= 0)};
  }

  function option(course, colours) {
    const made = charts.base(colours);
    const day = index => course.at[index].slice(0, 10);
    const axis = charts.axisLook(colours, "");
    const {unit, per} = words[course.figure];
    made.legend = {show: false};
    made.grid = {left: 64, right: 16, top: 28, bottom: 28};
    made.tooltip.formatter = ([{dataIndex: index}]) => `${echarts.format.encodeHTML(day(index) + " " + course.labels[index])}<br><b>${shown(course, course.values[index])}</b>`;
    made.xAxis = {...axis, type: "category", data: course.at.map((at, index) => day(index)), axisLabel: {color: colours.muted, hideOverlap: true}};
    made.yAxis = {...axis, type: "value", name: unit, scale: true, axisLabel: {color: colours.muted, formatter: short}};
    made.series = [{type: "line", data: course.values.map((value, index) => [value / per, index]).map(([value, index]) => course.doubtful.includes(index) ? {value, symbol: "emptyCircle", symbolSize: 7} : value), color: colours.accent, symbol: "circle", symbolSize: 5, lineStyle: {width: 1.6}}];
    return made;
  }

  let figures = 0;
  places.head.append(el("h1", {}, "Night by night"), how("Each figure is the median of a night's runs. If a figure changes, a change of the host may be the reason."));
  for (const name of [...new Set(entries.map(entry => entry.name))].sort()) {
    const section = el("section", {}, el("h2", {}, name));
    const figuresOf = entries.filter(entry => entry.name === name).flatMap(entry => Object.keys(entry.figures));
    for (const course of [...new Set(figuresOf)].sort().map(figure => courseOf(name, figure))) {
      const description = `${course.figure} over ${course.values.length} nights`;
      section.append(el("h3", {}, course.figure),
        how(`${course.values.length} nights${course.doubtful.length ? ` (${course.doubtful.length} cannot be trusted, drawn hollow)` : ""}, latest ${shown(course, course.values[course.values.length - 1])}`),
        chart("figure-" + figures++, description, look => option(course, look), 200));
    }
    places.main.append(section);
  }
  drawFromNowOn();
})();
