"use strict";

/* One chart for each figure, under the name that it is a figure of. */
(() => {
  const courses = JSON.parse(document.getElementById("data").textContent);
  const drawn = [];
  const short = new Intl.NumberFormat("en", {maximumSignificantDigits: 3}).format;

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
    made.append(...children);
    return made;
  }

  function look() {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue("--" + name).trim();
    return {text: colour("text"), muted: colour("muted"), faint: colour("faint"), line: colour("line"), panel: colour("panel"),
      accent: colour("accent"), font: getComputedStyle(document.body).fontFamily};
  }

  const percent = ratio => (ratio >= 1 ? "+" : "−") + short(Math.abs(ratio - 1) * 100) + " %";

  function option(course, colours) {
    const made = charts.base(colours);
    const day = index => course.at[index].slice(0, 10);
    const axis = charts.axisLook(colours, "");
    made.legend = {show: false};
    made.grid = {left: 64, right: 16, top: 28, bottom: 28};
    made.tooltip.formatter = ([{dataIndex: index}]) => `${day(index)} ${course.labels[index]}<br><b>${short(course.values[index])}</b>`;
    made.xAxis = {...axis, type: "category", data: course.at.map((at, index) => day(index)), axisLabel: {color: colours.muted, hideOverlap: true}};
    made.yAxis = {...axis, type: "value", scale: true, axisLabel: {color: colours.muted, formatter: short}};
    made.series = [{type: "line", data: course.values, color: colours.accent, symbol: "circle", symbolSize: 5, lineStyle: {width: 1.6},
      markLine: {symbol: "none", silent: true, lineStyle: {color: colours.text, type: "dashed"},
        label: {color: colours.text, formatter: mark => mark.name},
        data: course.changes.map(change => ({xAxis: change.index, name: percent(change.ratio)}))}}];
    return made;
  }

  function draw({place, course}, index) {
    const one = drawn[index];
    if (!one.chart) {
      one.chart = echarts.init(place, null, {renderer: "svg"});
      new ResizeObserver(() => one.chart.resize()).observe(place);
    }
    one.chart.setOption(option(course, look()), {notMerge: true});
  }

  const main = document.getElementById("main");
  for (const name of new Set(courses.map(course => course.name))) {
    const section = element("section", {}, element("h2", {}, name));
    for (const course of courses.filter(one => one.name === name)) {
      const said = course.changes.map(change => percent(change.ratio) + " from " + course.at[change.index].slice(0, 10));
      const place = element("div", {class: "chart", role: "img", style: "height: 200px",
        "aria-label": `${course.figure} over ${course.values.length} nights` + (said.length ? ", changed " + said.join(", ") : "")});
      section.append(element("h3", {}, course.figure),
        element("p", {class: "how"}, `${course.values.length} nights, latest ${short(course.values[course.values.length - 1])}`
          + (said.length ? "; " + said.join(", ") : "")),
        element("figure", {}, place));
      drawn.push({place, course});
    }
    main.append(section);
  }
  drawn.forEach(draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawn.forEach(draw));
})();
