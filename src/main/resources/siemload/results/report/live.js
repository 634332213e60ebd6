"use strict";

/* Reads the results of the run so far from the server once a second, and draws charts of the report from them. */
(() => {
  const FIGURES = [["phase", "phase"], ["searches", "searches/s"], ["p95", "p95 of all searches"], ["running", "running"],
    ["failed", "failed so far"], ["fed", "fed events/s"], ["backlog", "feeder's backlog"]];
  const sections = [];
  const values = {};
  let now;

  const {data: {title, sentence}, places, el, whole, short, how} = elements;

  /** A chart has its place from the start, and appears there once it has data. */
  function chart(id, title, description, has, option) {
    const figure = elements.chart(id, description, colours => option(now, colours), id === "latency" ? "tall" : undefined);
    const section = el("section", {hidden: true}, el("h2", {}, title), figure);
    places.main.append(section);
    sections.push({section, figure, has});
  }

  const show = (name, text) => values[name].textContent = text;

  /** Shows the newest second of the load, which is a second behind the machine's figures if there are injectors. */
  function figures() {
    const {axis, load, latency = {}} = now;
    const at = load ? load.running.reduce((last, value, index) => value === null ? last : index, -1) : -1;
    if (at < 0) {
      return;
    }
    const second = axis.first + at * axis.step;
    const of = column => (load[column] || [])[at] || 0;
    const p95 = (latency.all ? latency.all.p95[at] : null) || of("responseP95Micros");
    show("phase", second <= 0 ? "warmup, " + -second + "\u00a0s left" : "measured, " + second + "\u00a0s");
    show("searches", whole(of("finished")));
    show("p95", p95 ? short(p95 / 1000) + " ms" : "–");
    show("running", whole(of("running")));
    show("failed", whole(axis.step * (load.failed || []).reduce((sum, failed) => sum + failed, 0)));
    show("fed", whole(of("eventsAcknowledged")));
    show("backlog", whole(of("eventsBehind")));
  }

  const state = el("p", {id: "state", role: "status"}, "waiting for the first second");
  const say = text => state.textContent = text;
  places.head.append(el("h1", {}, title), el("p", {}, sentence), state);
  places.main.append(el("dl", {id: "figures", class: "figures"}, FIGURES.map(([name, title]) => el("div", {}, el("dt", {}, title), values[name] = el("dd", {}, "–")))));
  places.foot.append(how("Response times count from the instant at which the user was due to search; none are shown for the warm-up. The report at the end of the run has the final results."));
  chart("latency", "Response time (p95) and feeder", "Response time of each search over time, with the feeder's rate and backlog",
      now => now.latency, (now, colours) => charts.latency(now, colours, "p95"));
  chart("cpu", "CPU of this machine", "Share of all CPUs over time: database, load generator, other programs, waiting, stolen", now => now.host, charts.cpu);
  chart("io", "Database input and output", "Megabytes a second that the database read and wrote, by purpose", now => now.io, charts.io);
  chart("memory", "Memory", "Memory in use over time", now => now.host, charts.memory);
  chart("disks", "Disks", "Megabytes and operations a second and utilisation of each disk", now => now.disks, charts.disks);

  async function ask() {
    try {
      const {hosts = {}, disks = {}, ...others} = await (await fetch("series")).json();
      say("live: updated each second");
      now = {...others, host: hosts["this host"], disks: disks["this host"]};
      figures();
      sections.filter(one => one.has(now)).forEach(one => {
        one.section.hidden = false;
        elements.redraw(one.figure);
      });
    } catch {
      say("the run has ended or does not answer");
    }
    setTimeout(ask, 1000);
  }

  ask();
  elements.drawFromNowOn();
})();
