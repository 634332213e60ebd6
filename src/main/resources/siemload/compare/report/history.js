"use strict";

/* One chart for each figure, under the name that it is a figure of. */
(() => {
  const {courses, words} = JSON.parse(document.getElementById("data").textContent);
  const {el, how, short, chart, drawFromNowOn} = elements;
  const shown = (course, value) => (short(value / words[course.figure].per) + " " + words[course.figure].unit).trim();

  const percent = ratio => (ratio >= 1 ? "+" : "−") + short(Math.abs(ratio - 1) * 100) + " %";
  const step = (course, {before, after}) => before === 0 ? "from 0 to " + shown(course, after) : percent(after / before);

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
    made.series = [{type: "line", data: course.values.map((value, index) => [value / per, index]).map(([value, index]) => course.doubtful.includes(index) ? {value, symbol: "emptyCircle", symbolSize: 7} : value), color: colours.accent, symbol: "circle", symbolSize: 5, lineStyle: {width: 1.6},
      markLine: {symbol: "none", silent: true, lineStyle: {color: colours.text, type: "dashed"},
        label: {color: colours.text, formatter: mark => mark.name},
        data: course.changes.map(change => ({xAxis: change.index, name: step(course, change)}))}}];
    return made;
  }

  let figures = 0;
  const main = document.getElementById("main");
  for (const name of new Set(courses.map(course => course.name))) {
    const section = el("section", {}, el("h2", {}, name));
    for (const course of courses.filter(one => one.name === name)) {
      const said = course.changes.map(change => step(course, change) + " from " + course.at[change.index].slice(0, 10));
      const description = `${course.figure} over ${course.values.length} nights` + (said.length ? ", changed " + said.join(", ") : "");
      section.append(el("h3", {}, course.figure),
        how(`${course.values.length} nights${course.doubtful.length ? ` (${course.doubtful.length} not to be trusted, drawn hollow)` : ""}, latest ${shown(course, course.values[course.values.length - 1])}`
          + (said.length ? "; " + said.join(", ") : "")),
        chart("figure-" + figures++, description, look => option(course, look), 200));
    }
    main.append(section);
  }
  drawFromNowOn();
})();
