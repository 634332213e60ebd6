package siemload.dataset.learn;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import siemload.dataset.SeededRandom;

/**
 * Names in the place of those of a stream: each becomes a made-up word of its length, always the same one for the same name and another one
 * for each. Words are made from the order in which they are asked for and from lengths, never from letters, so that nothing can be computed
 * back. Not thread-safe.
 */
final class Pseudonyms {
    /** Words of which IDEA itself makes its categories and types, and of well-known protocols, name no person or machine: they stay. */
    private static final Set<String> STANDARD = Set.copyOf(List.of("""
            Abusive Spam Harassment Child Sexual Violence Malware Virus Worm Trojan Spyware Dialer Rootkit Recon Scanning Sniffing
            SocialEngineering Searching Attempt Exploit Login NewSignature Intrusion AdminCompromise UserCompromise AppCompromise Botnet
            Availability DoS DDoS Sabotage Outage Information UnauthorizedAccess UnauthorizedModification Fraud UnauthorizedUsage Copyright
            Masquerade Phishing Scam Vulnerable Open Config Anomaly Traffic Connection Protocol System Application Behaviour Other Test
            Datagram Content Data File Flow Log Host Network Correlation External Reporting Blackhole Signature Statistical Heuristic
            Integrity Policy Honeypot Tarpit Monitor Relay Blacklist Human Proxy OriginMalware OriginSandbox OriginSpam MITM Backscatter
            Poisoned FastFlux CC Tor Incomplete tcp udp icmp icmp6 ipv6 igmp gre esp ah sctp ip ipv4 arp ssh telnet http https ftp smtp
            smtps submission pop3 pop3s imap imaps domain dns ntp snmp snmptrap ssdp sip sips rtp ldap ldaps microsoft ds rdp vnc rfb
            netbios ns dgm ssn epmap ms sql mysql redis tftp syslog ssl tls quic mqtt coap upnp smb cifs nfs irc socks alt rtsp memcache
            ms-wbt-server ftp-data ms-sql-s ms-sql-m
            """.strip().split("\\s+")));

    private static final String CONSONANTS = "bdfgklmnprstvz";
    private static final String VOWELS = "aeiou";
    /** A word is tried so often before a longer one is made. */
    private static final int TRIES = 20;

    private final SeededRandom random;
    private final Map<String, String> made = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    Pseudonyms(long seed) {
        random = new SeededRandom(seed);
    }

    /** In the place of a name. */
    String of(String name) {
        if (name.isBlank()) {
            return "-";
        }
        return STANDARD.contains(name) || STANDARD.containsAll(List.of(name.split("[.-]")))
                ? name
                : made.computeIfAbsent(
                        name,
                        unused -> Stream.iterate(0, tried -> tried + 1)
                                .map(tried -> madeUp(name.length() + tried / TRIES))
                                .filter(taken::add)
                                .findFirst()
                                .orElseThrow());
    }

    List<String> of(List<String> names) {
        return names.stream().map(this::of).toList();
    }

    /** A sentence of made-up words with so many characters, two at least. */
    String sentence(long length) {
        StringBuilder text = new StringBuilder();
        long end = Math.max(2, length) - 1;
        while (text.length() < end) {
            text.append(text.isEmpty() || text.length() + 1 == end ? "" : " ");
            text.append(madeUp((int) Math.min(end - text.length(), 3 + text.length() % 7)));
        }
        return text.append('.').toString();
    }

    private String madeUp(int length) {
        StringBuilder word = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            String letters = i % 2 == 0 ? CONSONANTS : VOWELS;
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }
}
