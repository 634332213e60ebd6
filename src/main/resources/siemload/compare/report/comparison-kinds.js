"use strict";

/* The first part of the report for each kind of experiment: headings, texts, charts and tables for one member of the page's data. */
const comparisonKinds = (() => {
  const {el, short, how, note, scrolled, table, chart, redraw, choice, chosen} = elements;
  const {unique, cells, words, subjects, median, shown} = comparisonCharts;
  const FEW = 6;

  const decisive = one => one.experiment.metric.name;
  const metrics = one => unique([decisive(one), ...one.experiment.alsoShow.map(metric => metric.name)])
    .filter(metric => one.figures.some(series => series.metric === metric));
  const named = (one, names) => names.map(name => [name, words(one, name).title]);
  const medians = one => "Medians of the valid runs of each variant";

  // ---- regret --------------------------------------------------------------------------------------------------------

  /** Each variant as a ratio to the best variant of the search, from 1 up. */
  function regrets(one) {
    const metric = decisive(one);
    const more = words(one, metric).moreIsBetter;
    return subjects(one, metric).map(subject => {
      const values = cells(one).map(cell => median(one, subject, metric, cell));
      const known = values.filter(value => value > 0);
      const best = more ? Math.max(...known) : Math.min(...known);
      return {subject, ratios: values.map(value => value > 0 ? (more ? best / value : value / best) : undefined)};
    });
  }

  /** A background that is redder for higher ratios, and transparent, so that it suits light and dark pages. */
  const heat = ratio => ratio === undefined ? undefined : "background:rgba(208,69,58," + Math.min(0.34, 0.11 * Math.log2(Math.max(1, ratio))).toFixed(2) + ")";
  const times = ratio => ratio === undefined ? "–" : ratio < 1.005 ? "best" : short(ratio) + "×";

  function regret(one) {
    const rows = regrets(one);
    if (rows.length === 0) {
      return [note("Left out: no valid run has the metric " + decisive(one) + ".")];
    }
    // The worst ratio of a variant is unknown if it was not measured for every search.
    const worst = cells(one).map((unused, index) => rows.every(row => row.ratios[index] !== undefined)
      ? rows.reduce((found, row) => row.ratios[index] > found.ratio ? {ratio: row.ratios[index], subject: row.subject} : found, {ratio: 1, subject: ""})
      : {ratio: undefined, subject: ""});
    const least = Math.min(...worst.map(found => found.ratio).filter(ratio => ratio !== undefined));
    const safest = worst.findIndex(found => found.ratio === least);
    const cell = (ratio, index) => el("td", {style: heat(ratio), class: ratio > 1.005 && ratio === worst[index].ratio ? "worst" : undefined}, times(ratio));
    return [
      how("Each cell is the " + words(one, decisive(one)).title + " of a variant as a multiple of the best variant of that search: the cost of choosing this variant. "
        + "The worst cell of each variant is underlined, and repeated in the last row. " + medians(one) + "; the verdicts say whether a difference is decided."),
      scrolled("regret", el("table", {class: "regret"},
        el("thead", {}, el("tr", {}, el("th", {scope: "col", class: "text"}, "search"), cells(one).map(name => el("th", {scope: "col"}, name)))),
        el("tbody", {}, rows.map(row => el("tr", {}, el("th", {scope: "row"}, row.subject), row.ratios.map(cell)))),
        el("tfoot", {}, el("tr", {}, el("th", {scope: "row"}, "worst regret"), worst.map(found => el("td", {}, times(found.ratio))))))),
      one.withheld.length === 0 && safest >= 0 && el("p", {}, "Safest choice for all of these searches, by the medians: ", el("strong", {}, cells(one)[safest]), least < 1.005 ? ", the best variant for each search." : ", at worst "
        + times(least) + " the best variant (" + worst[safest].subject + ").")];
  }

  // ---- pareto --------------------------------------------------------------------------------------------------------

  /** Pairs of figures: the deciding metric of each subject with each of the other metrics. */
  function pareto(one, id) {
    const reads = subjects(one, decisive(one)).map(subject => ({subject, metric: decisive(one)}));
    const others = metrics(one).slice(1).flatMap(metric => unique(one.figures.filter(series => series.metric === metric)
      .map(series => series.subject)).slice(0, FEW).map(subject => ({subject, metric})));
    if (reads.length === 0 || others.length === 0) {
      return [note("Left out: the chart needs the deciding metric and at least one other metric (alsoShow) of the runs.")];
    }
    let read = reads[0];
    const figures = others.map((other, index) => chart(id + "-pareto-" + index,
      "Scatter chart: " + words(one, other.metric).title + " against " + words(one, read.metric).title + " of each variant",
      look => comparisonCharts.pareto(one, read, other, look)));
    return [
      how("Variants on the left read faster. No variant is better in both figures than one on the dashed line; by these two figures, a variant off the line is never the right choice. " + medians(one) + "."),
      choice("Read", reads.map((one, index) => [String(index), one.subject]), value => {
        read = reads[Number(value)];
        figures.forEach(redraw);
      }),
      el("div", {class: "two"}, others.map((other, index) => el("div", {},
        unique(others.map(found => found.subject)).length > 1 && el("p", {class: "caption"}, words(one, other.metric).title + " of " + other.subject), figures[index])))];
  }

  // ---- depth ---------------------------------------------------------------------------------------------------------

  function depth(one, id) {
    const searches = Object.keys(comparisonCharts.pages(one));
    if (searches.length === 0) {
      return [note("Left out: no step of these runs is named after a page (\"HAWAT3 page 10\").")];
    }
    const changes = searches.flatMap(search => cells(one).flatMap(cell => {
      const depths = comparisonCharts.pages(one)[search];
      return comparisonCharts.planChanges(one, cell, depths).map((change, index) => [change, depths[index].page]).filter(([change]) => change)
        .map(([change, page]) => [search, cell, String(page), change]);
    }));
    return [
      how("Time of one page by its depth, both on logarithmic axes: a straight rising line grows like a power of the depth, a flat line means that the time does not depend on the depth. "
        + "A large diamond marks a page whose plan differs from that of the page before. " + medians(one) + "."),
      chosen(id + "-depth", "Search", "Line chart: time against the depth of the page for each variant", searches.map(search => [search, search]),
        (search, look) => comparisonCharts.depth(one, search, look), "tall"),
      changes.length > 0 && [el("p", {class: "caption"}, "Changes of plan"),
        table("changes of plan", [["search", "text"], ["variant", "text"], ["from page", ""], ["plans", "text wrap"]], changes)]];
  }

  // ---- slides --------------------------------------------------------------------------------------------------------

  function slides(one, id) {
    if (metrics(one).length === 0) {
      return [note("Left out: no valid run has the metric " + decisive(one) + ".")];
    }
    return [
      how(medians(one) + ", on a logarithmic axis; intervals are below."),
      chosen(id + "-slides", "Show", "Bar chart: " + words(one, decisive(one)).title + " of each search for each variant", named(one, metrics(one)),
        (metric, look) => comparisonCharts.slides(one, metric, look), "tall")];
  }

  // ---- scaling -------------------------------------------------------------------------------------------------------

  function scaling(one, id) {
    const growth = comparisonCharts.grown(one);
    if (growth.length === 0) {
      return [note("Left out: growth needs valid runs at two or more numbers of " + one.axis + ".")];
    }
    const sizes = unique(growth.flatMap(found => found.points.map(point => point.n))).sort((a, b) => a - b);
    return [
      how("Values and sizes on logarithmic axes: a straight line means growth like n to the power of its slope. The factor is T(n)/T(" + short(sizes[0])
        + "). " + medians(one) + "."),
      chart(id + "-growth", "Line chart: " + words(one, decisive(one)).title + " against " + one.axis, look => comparisonCharts.growth(one, look), "tall"),
      table("growth", [["", "text"], ...sizes.map(n => ["T(" + short(n) + ")", ""])],
        growth.map(found => [found.subject, ...sizes.map(n => {
          const point = found.points.find(candidate => candidate.n === n);
          return point ? [shown(one, found.metric, point.median), el("small", {class: "factor"}, short(point.factor) + "×")] : "–";
        })]))];
  }

  /** Title and content by kind; a plain comparison has neither. */
  function of(one, id) {
    switch (one.experiment.kind) {
      case "REGRET": return ["Regret", regret(one)];
      case "PARETO": return ["Costs and gains", pareto(one, id)];
      case "DEPTH": return ["Time by depth", depth(one, id)];
      case "SLIDES": return ["Like the slides of the source", slides(one, id)];
      case "SCALING": return ["Growth", scaling(one, id)];
      default: return undefined;
    }
  }

  return {of, metrics, named, decisive};
})();
