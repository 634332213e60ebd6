package siemload.run.procedure;

import java.util.List;
import java.util.Locale;
import siemload.database.Plan;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.scenario.Procedure;

/**
 * Finds out what must be the same in every run of a variant on the same data: the answers, the plans, the blocks that were
 * needed, and the log of inserts. One thing after the other over one connection, so that nothing depends on time.
 */
record CertificateSteps(
        Procedure.Certificate procedure, ProcedureContext context, ProcedureSearches searches, MeasuredSession session)
        implements Runnable {
    private static final long DEEPER_PAGE = 2;

    @Override
    public void run() {
        try (session) {
            for (SearchName name : procedure.searchSet().searches()) {
                for (Order order : orders(name)) {
                    for (int draw = 0; draw < procedure.draws(); draw++) {
                        context.status("certifying %s, values %d", name, draw + 1);
                        certify(name, order, draw);
                    }
                }
            }
        }
        context.interruption().check();
        feed();
    }

    /** What is summed up has no order of its own. */
    private List<Order> orders(SearchName name) {
        return context.draw().catalog().get(name).summary().isPresent()
                ? List.of(Order.NEWEST_FIRST)
                : procedure.orders();
    }

    private void certify(SearchName name, Order order, int draw) {
        Search search = searches.search(name, draw, order, procedure.page());
        PageTurner turner = new PageTurner(
                search, context.variant().paging(), procedure.pageSize(), DEEPER_PAGE * procedure.pageSize());
        long rows = page(search, turner, 1, draw);
        if (rows == procedure.pageSize() && search.summary().isEmpty()) {
            page(search, turner, DEEPER_PAGE, draw);
        }
    }

    /** Certifies one page. @return how many rows it has */
    private long page(Search search, PageTurner turner, long number, int draw) {
        context.interruption().check();
        Step step = new Step(name(search, number, draw)).search(search).depth(number);
        try {
            session.startCounting();
            TimedSearch page = turner.read(number, session.get());
            session.blocksSinceStart()
                    .ifPresent(blocks -> step.figure("blocksTouched", blocks.reads() + blocks.hits()));
            step.fact("answersHash", page.answersHash())
                    .figure("rows", page.rows())
                    .figure("bytes", page.bytes());
            if (search.summary().isEmpty()) {
                turner.plan(number, session.get()).map(Plan::shape).ifPresent(shape -> step.fact("planShape", shape));
            }
            context.steps().add(step.done());
            return page.rows();
        } catch (SearchException failure) {
            context.interruption().check();
            context.steps().add(step.failed(failure).done());
            return 0;
        }
    }

    private String name(Search search, long number, int draw) {
        String order = search.order() == Order.OLDEST_FIRST ? " oldest first" : "";
        return String.format(Locale.ROOT, "%s%s page %d values %d", search.name(), order, number, draw + 1);
    }

    /**
     * The log of the first change of a page holds the whole page, once after each checkpoint: a checkpoint right before
     * lets all pages be in it, whenever the last one was.
     */
    private void feed() {
        context.progress().status("certifying inserts");
        NewEvents events = NewEvents.everyMillisecond(context.source(), procedure.events());
        Step step = new Step("feed").fact("batch", procedure.batch()).figure("rows", procedure.events());
        try {
            context.attempt(step, () -> {
                context.store().maintenance().ifPresent(store -> store.checkpoint());
                new Feeding(context, events, procedure.batch(), 1)
                        .logBytesPerEvent()
                        .ifPresent(bytes -> step.figure("walBytesPerEvent", bytes));
            });
        } catch (TargetException refused) {
            context.progress().line("the log of inserts is not certified: " + refused.getMessage());
        }
        context.steps().add(step.done());
    }
}
