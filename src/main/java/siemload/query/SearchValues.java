package siemload.query;

import java.util.List;
import siemload.event.AddressRange;

/**
 * The values a search looks for; a search uses those that its definition asks for and ignores the rest. Immutable.
 *
 * @param addresses the single address first; searches for a list use them all
 * @param range a range of addresses, for HAWAT2, HAWAT7, SOURCENET, TARGETNET and WITHIN
 * @param category for HAWAT3, HAWAT5, HAWAT6 and HAWAT7
 * @param detector a node name, for HAWAT4 and HAWAT5
 * @param port a transport port, for OTHER2, SERVICE, PORT, SOURCEPORT and TARGETPORT
 * @param id an event id, for DETAIL
 * @param text a part of a description for TEXT, all of one for DESCRIPTION
 */
public record SearchValues(
        List<AddressRange> addresses,
        AddressRange range,
        String category,
        String detector,
        int port,
        String id,
        String text) {

    public SearchValues {
        addresses = List.copyOf(addresses);
    }
}
