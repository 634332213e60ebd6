package siemload.dataset.learn;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import siemload.dataset.SeededRandom;

/**
 * Names in the place of those of a stream, always the same one for the same name. They are made from the order in which
 * names are asked for and from their shape, never from their letters, so that nothing can be computed back. Not
 * thread-safe.
 */
final class Pseudonyms {
    /** The words that IDEA itself defines, and well-known protocols, name no person or machine: they stay. */
    private static final Set<String> CATEGORIES = words("""
            Abusive Abusive.Spam Abusive.Harassment Abusive.Child Abusive.Sexual Abusive.Violence Malware
            Malware.Virus Malware.Worm Malware.Trojan Malware.Spyware Malware.Dialer Malware.Rootkit Recon
            Recon.Scanning Recon.Sniffing Recon.SocialEngineering Recon.Searching Attempt Attempt.Exploit
            Attempt.Login Attempt.NewSignature Intrusion Intrusion.AdminCompromise Intrusion.UserCompromise
            Intrusion.AppCompromise Intrusion.Botnet Availability Availability.DoS Availability.DDoS
            Availability.Sabotage Availability.Outage Information Information.UnauthorizedAccess
            Information.UnauthorizedModification Fraud Fraud.UnauthorizedUsage Fraud.Copyright Fraud.Masquerade
            Fraud.Phishing Fraud.Scam Vulnerable Vulnerable.Open Vulnerable.Config Anomaly Anomaly.Traffic
            Anomaly.Connection Anomaly.Protocol Anomaly.System Anomaly.Application Anomaly.Behaviour Other Test
            """);

    /** Types of nodes, then of sources, then protocols. */
    private static final Set<String> TYPES_AND_PROTOCOLS = words("""
            Connection Datagram Content Data File Flow Log Protocol Host Network Correlation External Reporting
            Blackhole Signature Statistical Heuristic Integrity Policy Honeypot Tarpit Recon Monitor Relay
            Blacklist Human Proxy OriginMalware OriginSandbox OriginSpam Phishing Malware MITM Spam Backscatter
            Open Poisoned FastFlux Botnet CC Tor Incomplete
            tcp udp icmp icmp6 ipv6-icmp igmp gre esp ah sctp ip ipv4 ipv6 arp ssh telnet http https ftp
            ftp-data smtp smtps submission pop3 pop3s imap imaps domain dns ntp snmp snmptrap ssdp sip sips rtp
            ldap ldaps microsoft-ds ms-wbt-server rdp vnc rfb netbios-ns netbios-dgm netbios-ssn epmap ms-sql-s
            ms-sql-m mysql redis tftp syslog ssl tls quic mqtt coap upnp smb cifs nfs irc socks http-alt rtsp
            memcache
            """);

    private static final Pattern OF_DESCRIPTION = Pattern.compile("\\{source}|\\{port}|\\p{L}+|[^ -~]");
    private static final String CONSONANTS = "bdfgklmnprstvz";
    private static final String VOWELS = "aeiou";
    private static final int LONGEST_WORD = 60;

    private final Learner.Names rule;
    private final long seed;
    private final Map<String, Map<String, String>> known = new HashMap<>();

    Pseudonyms(Learner.Names rule, long seed) {
        this.rule = rule;
        this.seed = seed;
    }

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    /** Whether IDEA defines this category. */
    static boolean isStandard(String category) {
        return CATEGORIES.contains(category);
    }

    String category(String name) {
        return isStandard(name) ? name : numbered("Other.Category", name.length(), name);
    }

    List<String> types(List<String> names) {
        return replaced(names, TYPES_AND_PROTOCOLS, "Type");
    }

    List<String> protocols(List<String> names) {
        return replaced(names, TYPES_AND_PROTOCOLS, "protocol");
    }

    List<String> software(List<String> names) {
        return replaced(names, Set.of(), "software");
    }

    private List<String> replaced(List<String> names, Set<String> standard, String kind) {
        return names.stream()
                .map(name -> standard.contains(name) ? name : numbered(kind, name.length(), name))
                .toList();
    }

    /** A dotted name keeps its dots and the lengths between them: the country, then groups, then what it is. */
    String detector(String name) {
        String[] parts = name.split("[.]", -1);
        int last = parts.length - 1;
        String own = numbered("detector", parts[last].length(), name);
        if (rule == Learner.Names.KEEP || last == 0) {
            return own;
        }
        StringBuilder made = new StringBuilder("x".repeat(Math.max(1, parts[0].length())));
        for (int i = 1; i < last; i++) {
            String above = String.join(".", Arrays.asList(parts).subList(0, i + 1));
            made.append('.').append(numbered("group", parts[i].length(), above));
        }
        return made.append('.').append(own).toString();
    }

    /** A description without what is the event's own, see {@link EventCounts}: words become others of their length. */
    String description(String form) {
        return rule == Learner.Names.KEEP
                ? form
                : OF_DESCRIPTION.matcher(form).replaceAll(part -> Matcher.quoteReplacement(described(part)));
    }

    private String described(MatchResult part) {
        String text = part.group();
        return text.startsWith("{") ? text : Character.isLetter(text.charAt(0)) ? word(text) : "?";
    }

    /** Sentences of made-up words, about as long as this many characters. */
    List<String> sentences(double meanLength) {
        return DoubleStream.of(0.6, 0.8, 1, 1.2, 1.4)
                .mapToObj(part -> sentence(Math.max(2, Math.round(meanLength * part))))
                .toList();
    }

    private String sentence(long length) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length - 1) {
            long left = length - 1 - text.length();
            text.append(text.isEmpty() ? "" : " ");
            text.append(madeUp((int) Math.min(Math.max(1, left), 3 + text.length() % 7), known.size() + text.length()));
        }
        return text.append('.').toString();
    }

    private String word(String original) {
        Map<String, String> words = known.computeIfAbsent("word", unused -> new HashMap<>());
        String made = words.computeIfAbsent(
                original.toLowerCase(Locale.ROOT),
                unused -> madeUp(Math.min(original.length(), LONGEST_WORD), words.size()));
        return Character.isUpperCase(original.charAt(0))
                ? Character.toUpperCase(made.charAt(0)) + made.substring(1)
                : made;
    }

    private String madeUp(int length, int number) {
        SeededRandom random = SeededRandom.of(seed, number);
        StringBuilder word = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            String letters = i % 2 == 0 ? CONSONANTS : VOWELS;
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }

    /** A kind and a number, about as long as the name; more than a thousand of a kind make it longer. */
    private String numbered(String kind, int length, String name) {
        if (rule == Learner.Names.KEEP) {
            return name.isBlank() ? "-" : name;
        }
        Map<String, String> names = known.computeIfAbsent(kind, unused -> new HashMap<>());
        return names.computeIfAbsent(name, unused -> {
            int letters = Math.max(1, Math.min(length, LONGEST_WORD) - 3);
            String word =
                    kind.length() > letters ? kind.substring(0, letters) : kind + "x".repeat(letters - kind.length());
            return String.format(Locale.ROOT, "%s-%02d", word, names.size() + 1);
        });
    }
}
