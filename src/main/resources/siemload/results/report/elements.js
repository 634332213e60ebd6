"use strict";

/* The parts of pages: elements, formatted numbers, tables, and charts that draw themselves. */
const elements = (() => {
  const drawn = [];
  const [data, head, main, foot] = ["data", "head", "main", "foot"].map(id => document.getElementById(id));
  const places = {head, main, foot};

  // ---- words and numbers -------------------------------------------------------------------------------------------

  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== false) {
        element.setAttribute(name, value === true ? "" : value);
      }
    }
    element.append(...children.flat(Infinity).filter(child => child !== undefined && child !== null && child !== false));
    return element;
  }

  const format = options => value => new Intl.NumberFormat("en", options).format(value);
  const whole = format({maximumFractionDigits: 0});
  const short = format({maximumSignificantDigits: 3});
  const digits = count => format({minimumFractionDigits: count, maximumFractionDigits: count});

  function millis(micros) {
    const value = micros / 1000;
    return digits(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)(value);
  }

  const percent = ratio => digits(ratio < 0.1 ? 2 : 1)(100 * ratio) + " %";
  const plural = (count, one, many) => whole(count) + " " + (count === 1 ? one : many);

  const how = text => el("p", {class: "how"}, text);
  const note = text => el("p", {class: "note"}, text);

  // ---- tables ------------------------------------------------------------------------------------------------------

  function scrolled(name, table) {
    return el("div", {class: "scroll", role: "region", "aria-label": name, tabindex: "0"}, table);
  }

  /** Columns are [title, "text" or ""]; the first cell of a row is its heading. */
  function table(name, columns, rows, attributes) {
    return scrolled(name, el("table", attributes,
      el("thead", {}, el("tr", {}, columns.map(([title, kind]) => el("th", {scope: "col", class: kind}, title)))),
      el("tbody", {}, rows.map(row => el("tr", {}, row.map((cell, index) =>
        index === 0 ? el("th", {scope: "row"}, cell) : el("td", {class: columns[index][1]}, cell)))))));
  }

  function pairs(name, first, second, object) {
    return table(name, [[first, "text"], [second, "text wrap"]], Object.entries(object).map(([key, value]) =>
      [key, value === null || typeof value !== "object" ? String(value) : JSON.stringify(value)]));
  }

  function fold(title, ...body) {
    return el("details", {}, el("summary", {}, title), el("div", {class: "body"}, body));
  }

  // ---- charts ------------------------------------------------------------------------------------------------------

  function look(place) {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue("--" + name).trim();
    return {text: colour("text"), muted: colour("muted"), faint: colour("faint"), line: colour("line"), panel: colour("panel"), page: colour("page"),
      accent: colour("accent"), shade: "rgba(128,128,128,0.12)",
      width: place.clientWidth, height: place.clientHeight, narrow: place.clientWidth < 520,
      font: getComputedStyle(document.body).fontFamily};
  }

  /** A figure that is redrawn whenever size or colours change; `option` makes the option of ECharts from a look. */
  function chart(id, description, option, height) {
    const place = el("div", {class: "chart" + (height === "tall" ? " tall" : ""), id, role: "img", "aria-label": description});
    if (typeof height === "number") {
      place.style.height = height + "px";
    }
    drawn.push({place, option});
    return el("figure", {}, place);
  }

  const sizeOf = place => place.clientWidth + "x" + place.clientHeight;

  /** A chart in a closed fold has no width, and is drawn once it gets a width. */
  function draw(one) {
    if (!one.watched) {
      one.watched = true;
      new ResizeObserver(() => one.size === sizeOf(one.place) || draw(one)).observe(one.place);
    }
    if (one.place.clientWidth === 0) {
      return;
    }
    one.chart = one.chart || echarts.init(one.place, null, {renderer: "svg"});
    one.size = sizeOf(one.place);
    one.chart.resize();
    one.chart.setOption(one.option(look(one.place)), {notMerge: true});
  }

  /** Redraws a chart after a change of a value that its option depends on. */
  const redraw = figure => draw(drawn.find(one => one.place.parentNode === figure));

  const drawAll = () => drawn.forEach(draw);

  /** A list above a chart, if there are several choices; `choose` gets the chosen value. */
  function choice(legend, choices, choose) {
    const select = el("select", {}, choices.map(([value, text]) => el("option", {value}, text)));
    select.addEventListener("change", () => choose(select.value));
    return choices.length > 1 && el("p", {class: "pick"}, el("label", {}, legend + " ", select));
  }

  /** A chart of one of several choices, with a list to choose from. */
  function chosen(id, legend, description, choices, draw, height) {
    let now = choices[0][0];
    const figure = chart(id, description, look => draw(now, look), height);
    return [choice(legend, choices, value => {
      now = value;
      redraw(figure);
    }), figure];
  }

  /** Draws all charts, now and whenever colours change: dark mode and paper have other colours. */
  function drawFromNowOn() {
    drawAll();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
    matchMedia("print").addEventListener("change", drawAll);
  }

  // ---- blocks of sections ------------------------------------------------------------------------------------------

  const cell = content => typeof content === "string" ? content
    : [el("span", {class: content[2] ? content[2] + "-text" : undefined}, content[0]), content[1] && el("small", {class: "interval"}, content[1])];

  /** Rows with totals stay at the bottom, however the other rows are sorted. */
  function rows(block) {
    const name = block.columns[0][0] || "table";
    const lines = block.table.map((cells, index) => ({index, cells}));
    const isTotal = ({index}) => index >= block.table.length - block.totals;
    const row = ({cells}) => el("tr", {}, cells.map((content, index) => index === 0 ? el("th", {scope: "row"}, cell(content))
      : el("td", {class: block.columns[index][1] && "text wrap"}, cell(content))));
    const body = el("tbody", {}, lines.filter(line => !isTotal(line)).map(line => line.element = row(line)));
    const value = (line, index) => {
      const text = typeof line.cells[index] === "string" ? line.cells[index] : line.cells[index][0];
      const number = Number(text.replace(/,/g, ""));
      return block.columns[index][1] ? text : Number.isNaN(number) ? -1 : number;
    };
    const heads = block.columns.map(([title, kind], index) => {
      const button = el("button", {type: "button", "aria-label": "sort by " + title}, title);
      const place = el("th", {scope: "col", class: kind}, block.sortable ? button : title);
      button.addEventListener("click", () => {
        const down = place.getAttribute("aria-sort") !== "descending" && kind === "" || kind !== "" && place.getAttribute("aria-sort") === "ascending";
        heads.forEach(other => other.removeAttribute("aria-sort"));
        place.setAttribute("aria-sort", down ? "descending" : "ascending");
        const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;
        body.append(...lines.filter(line => !isTotal(line)).sort((a, b) => (down ? -1 : 1) * compare(value(a, index), value(b, index))).map(line => line.element));
      });
      return place;
    });
    return scrolled(name, el("table", {class: block.sortable ? "searches" : undefined}, el("thead", {}, el("tr", {}, heads)), body,
      block.totals > 0 && el("tfoot", {}, lines.filter(isTotal).map(row))));
  }

  function element(block, drawn) {
    if (block.table) {
      return [block.intro && how(block.intro), rows(block), ...(block.note || "").split("\n").filter(line => line).map(line => how(line))];
    }
    if (block.lines) {
      return [block.title && el("h3", {}, block.title), el("ul", {}, block.lines.map(({label, text}) => el("li", {}, label && text ? label.trim() + ": " + text : label.trim() + text)))];
    }
    if (block.chart) {
      const [name, of] = block.chart.split(" ");
      return drawn[name](of);
    }
    return block.fold ? fold(block.fold, block.blocks.map(inner => element(inner, drawn))) : note(block.prose);
  }

  /** All sections with contents, and links to them; `drawn` are functions that make charts, by name. */
  function report(all, drawn) {
    const sections = all.map(({id, title, blocks}) => ({id, title, content: blocks.map(block => element(block, drawn)).flat(Infinity).filter(Boolean)}))
      .filter(({content}) => content.length > 0);
    places.main.append(
      el("nav", {"aria-label": "sections"}, el("ul", {}, sections.map(({id, title}) => el("li", {}, el("a", {href: "#" + id}, title))))),
      ...sections.map(({id, title, content}, index) => el("section", {"aria-labelledby": id, style: index === 0 ? "margin-top:1.25rem" : undefined}, el("h2", {id}, title), content)));
  }

  return {data: JSON.parse(data.textContent), places, el, whole, short, digits, millis, percent, plural, how, note, scrolled, table, pairs, fold, chart, redraw, choice, chosen, report, drawFromNowOn};
})();
