"use strict";

/* Takes one second after another from the server, and draws the report's charts of the last ten minutes. */
(() => {
  const MOST_SECONDS = 600;
  const LOAD = ["finished", "failed", "running", "eventsAcknowledged", "eventsBehind"];
  const FIGURES = [["phase", "phase"], ["searches", "searches/s"], ["p95", "p95 of all searches"], ["running", "running"],
    ["failed", "failed so far"], ["fed", "fed events/s"], ["backlog", "feeder's backlog"]];
  const seconds = new Map();
  const sections = [];
  const values = {};
  let failed = 0;
  let newestCounted = -Infinity;
  let now;

  const {data: {title, sentence}, places, el, whole, short, how} = elements;

  // ---- what the charts take: one array for each line, on one axis ---------------------------------------------------

  function axis() {
    const known = [...seconds.keys()];
    const first = Math.min(...known);
    return {first, step: 1, points: Math.max(...known) - first + 1};
  }

  function column(time, of) {
    return Array.from({length: time.points}, (unused, index) => {
      const second = seconds.get(time.first + index);
      const value = second === undefined ? undefined : of(second);
      return value === undefined ? null : value;
    });
  }

  function names(part) {
    return [...new Set([...seconds.values()].flatMap(second => Object.keys(second[part] || {})))].sort();
  }

  /** Of parts with names of their own: searches, devices, categories. */
  function tables(time, part) {
    return Object.fromEntries(names(part).map(name => {
      const columns = [...new Set([...seconds.values()].flatMap(second => Object.keys((second[part] || {})[name] || {})))];
      return [name, Object.fromEntries(columns.map(key => [key, column(time, second => ((second[part] || {})[name] || {})[key])]))];
    }));
  }

  function table(time, part, columns) {
    return Object.fromEntries(columns.map(key => [key, column(time, second => (second[part] || {})[key])]));
  }

  function data() {
    const time = axis();
    return {axis: time, latency: tables(time, "latency"), load: table(time, "load", LOAD), host: table(time, "host", names("host")),
      disks: tables(time, "disks"), io: tables(time, "io")};
  }

  // ---- drawing -------------------------------------------------------------------------------------------------------

  /** A chart has its place from the start, and appears there when there is something to show. */
  function chart(id, title, description, has, option) {
    const figure = elements.chart(id, description, colours => option(now, colours), id === "latency" ? "tall" : undefined);
    const section = el("section", {hidden: true}, el("h2", {}, title), figure);
    places.main.append(section);
    sections.push({section, figure, has});
  }

  function draw() {
    now = data();
    sections.filter(one => one.has(now)).forEach(one => {
      one.section.hidden = false;
      elements.redraw(one.figure);
    });
  }

  const show = (name, text) => values[name].textContent = text;

  /** Of the newest second of the load: injectors tell theirs when the machine's next one is known already. */
  function figures() {
    const last = Math.max(...[...seconds.values()].filter(second => second.load).map(second => second.second));
    if (last === -Infinity) {
      return;
    }
    const {load, latency = {}} = seconds.get(last);
    show("phase", load.phase + (last < 0 ? ", " + -last + "\u00a0s left" : ", " + last + "\u00a0s"));
    show("searches", whole(load.finished || 0));
    const p95 = latency.all ? latency.all.p95 : load.responseP95Micros;
    show("p95", p95 ? short(p95 / 1000) + " ms" : "–");
    show("running", whole(load.running || 0));
    show("failed", whole(failed));
    show("fed", whole(load.eventsAcknowledged || 0));
    show("backlog", whole(load.eventsBehind || 0));
  }

  // ---- what comes in -------------------------------------------------------------------------------------------------

  function take(second) {
    seconds.set(second.second, second);
    if (second.load && second.second > newestCounted) {
      newestCounted = second.second;
      failed += second.load.failed;
    }
    const oldest = Math.max(...seconds.keys()) - MOST_SECONDS;
    [...seconds.keys()].filter(known => known <= oldest).forEach(known => seconds.delete(known));
  }

  const state = el("p", {id: "state", role: "status"}, "waiting for the first second");
  const say = text => state.textContent = text;
  places.head.append(el("h1", {}, title), el("p", {}, sentence), state);
  places.main.append(el("dl", {id: "figures", class: "figures"}, FIGURES.map(([name, title]) => el("div", {}, el("dt", {}, title), values[name] = el("dd", {}, "–")))));
  places.foot.append(how("Response times count from the instant the user was due to press Search; in the warm-up none is shown. The results are those of the report, which is written at the end of the run."));
  chart("latency", "Response time (p95) and feeder", "Response time of each search over time, with the feeder's rate and backlog",
      now => Boolean(now.latency.all), (now, colours) => charts.latency(now, colours, "p95"));
  chart("cpu", "CPU of this machine", "Share of all CPUs over time: database, load generator, other programs, waiting, stolen",
      now => Boolean(now.host.databaseCpuRatio), charts.cpu);
  chart("io", "Database input and output", "Megabytes a second that the database read and wrote, by what they are for",
      now => Object.keys(now.io).length > 0, charts.io);
  chart("memory", "Memory", "Memory in use over time", now => Boolean(now.host.memoryUsedBytes), charts.memory);
  chart("disks", "Disks", "What each disk moved and how busy it was", now => Object.keys(now.disks).length > 0, charts.disks);

  let change = 0;

  async function ask() {
    try {
      const news = await (await fetch("seconds?after=" + change)).json();
      say("live: updated each second");
      if (news.change !== change) {
        ({change} = news);
        news.seconds.forEach(take);
        if (seconds.size > 0) {
          figures();
          draw();
        }
      }
    } catch {
      say("the run has ended, or does not answer");
    }
    setTimeout(ask, 1000);
  }

  ask();
  elements.drawFromNowOn();
})();
