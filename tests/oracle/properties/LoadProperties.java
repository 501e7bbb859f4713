import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Reads one file a line from standard input, in hexadecimal UTF-8, and answers what
 * java.util.Properties makes of it: "refused", or the entries in hexadecimal UTF-16.
 */
public final class LoadProperties {
    public static void main(String[] arguments) throws IOException {
        BufferedReader files = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        HexFormat hex = HexFormat.of();
        for (String line = files.readLine(); line != null; line = files.readLine()) {
            String text = new String(hex.parseHex(line), StandardCharsets.UTF_8);
            StringBuilder answer = new StringBuilder();
            try {
                Properties properties = new Properties();
                properties.load(new StringReader(text));
                for (String key : new TreeMap<>(properties).keySet().toArray(new String[0])) {
                    answer.append(units(key)).append('=').append(units(properties.getProperty(key))).append(';');
                }
            } catch (IllegalArgumentException refused) {
                answer.append("refused");
            }
            System.out.println(answer);
        }
    }

    private static String units(String text) {
        StringBuilder units = new StringBuilder();
        for (char unit : text.toCharArray()) {
            units.append(String.format("%04x", (int) unit));
        }
        return units.toString();
    }
}
