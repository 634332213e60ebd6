package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import siemload.config.YamlRecords.Misfit;

/**
 * What a search asks for, as its file says. Immutable.
 *
 * @param description one line for people
 * @param criteria its conditions, all of which an event must meet; empty finds every event
 * @param summary how its events are summed up; empty where they are listed
 * @param order in which order it has its rows
 * @param window the stretch of time it looks at whatever its users want; empty where that is for them to choose
 * @param refinements the searches to which a user who has seen a row narrows it: each asks for one thing more, or is
 *     DETAIL; empty where nobody does
 */
public record SearchDefinition(
        SearchName name,
        String description,
        List<CriterionTemplate> criteria,
        Optional<Summary> summary,
        OwnOrder order,
        Optional<Window> window,
        List<SearchName> refinements) {
    /**
     * In which order a search has its rows, where that is not for its users to choose. Immutable.
     *
     * @param order whatever is read; not unsorted
     * @param wholeOrder where the whole result is read, before {@code order}
     */
    public record OwnOrder(Optional<Order> order, Optional<Order> wholeOrder) {
        /** As users want it. */
        public static final OwnOrder AS_WANTED = new OwnOrder(Optional.empty(), Optional.empty());

        public OwnOrder {
            if (order.filter(one -> one == Order.UNSORTED).isPresent()) {
                throw new Misfit("order", "only a whole result can be unsorted (write wholeOrder: unsorted)");
            }
        }

        /** The order of the rows of a page, where a user wants this one. */
        public Order of(Page page, Order wanted) {
            return page instanceof Page.Whole ? wholeOrder.or(() -> order).orElse(wanted) : order.orElse(wanted);
        }
    }

    public SearchDefinition {
        criteria = List.copyOf(criteria);
        refinements = List.copyOf(refinements);
    }

    /** One of which nothing else is said. */
    public SearchDefinition(
            SearchName name, String description, List<CriterionTemplate> criteria, Optional<Summary> summary) {
        this(name, description, criteria, summary, OwnOrder.AS_WANTED, Optional.empty(), List.of());
    }

    /** The criteria of the search with these values. */
    public List<Criterion> criteria(SearchValues values) {
        List<Criterion> filled = new ArrayList<>(criteria.size());
        criteria.forEach(template -> filled.add(template.with(values)));
        return filled;
    }

    /** Whether it looks for a value of this kind that is drawn. */
    public boolean draws(CriterionKey key) {
        return drawn().anyMatch(template -> template.key() == key);
    }

    /** Whether it looks for as many addresses as it is given, not for one. */
    public boolean hasList() {
        return draws(CriterionKey.ADDRESSES);
    }

    /** The one side on which it looks for what it draws; either where there is no such side. */
    public EventSide side() {
        List<EventSide> sides = drawn().filter(template -> template.key().hasSides())
                .map(CriterionTemplate.Drawn::side)
                .distinct()
                .toList();
        return sides.size() == 1 ? sides.get(0) : EventSide.EITHER;
    }

    /**
     * What another search asks for more than this one; empty unless that is one thing, whose value is drawn.
     */
    public Optional<CriterionTemplate.Drawn> addedBy(SearchDefinition other) {
        List<CriterionTemplate> added = new ArrayList<>(other.criteria());
        boolean hasAll = criteria.stream().allMatch(added::remove);
        return hasAll && added.size() == 1 && added.get(0) instanceof CriterionTemplate.Drawn drawn
                ? Optional.of(drawn)
                : Optional.empty();
    }

    private Stream<CriterionTemplate.Drawn> drawn() {
        return criteria.stream().flatMap(CriterionTemplate::drawn);
    }
}
