import type { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { aSpec } from "../../testing/a-spec.ts";
import { describeShell } from "../../testing/shell-rows.ts";
import { testDevice } from "../../testing/test-device.ts";

describe("what acts on a device from outside", () => {
  const device = describeShell(
    [
      [
        "gadget gps latitude=-33.8568 longitude=151.2153 altitude=12.5 accuracy=3 bearing=90 speed=4.5 > /dev/null; dumpsys location | grep last",
        "    last location=Location[gps -33.856800,151.215300 hAcc=3 et=+0ms alt=12.5 vel=4.5 bear=90]\n",
      ],
      [
        "gadget gps on=false | head -n 1; dumpsys location | grep -c null; gadget gps on=true | head -n 1",
        "on=false\n1\non=true\n",
      ],
      [
        "gadget network profile=5g signal=1 | tail -n 2; getprop gsm.network.type; dumpsys telephony.registry | grep -e level -e Type; dumpsys connectivity | grep -o 'LinkUp.*Kbps'",
        "profile=5g\nsignal=1\nNR\n    mSignalStrength=SignalStrength:{primary=CellSignalStrength level=1}\n    mDataConnectionNetworkType=20(NR)\nLinkUpBandwidth>=60000Kbps LinkDnBandwidth>=145000Kbps\n",
      ],
      [
        "gadget sim networkOperator=26201 'networkName=Tele Kom' simOperator=310260 'simName=T Sim' subscriber=123456789 number=+491 > /dev/null; getprop gsm.operator.numeric; getprop gsm.sim.operator.alpha; content query --uri content://telephony/siminfo --projection number:mcc_string:mnc_string:imsi",
        "26201\nT Sim\nRow: 0 number=+491, mcc_string=310, mnc_string=260, imsi=310260123456789\n",
      ],
      [
        "gadget phone call=+15551 > /dev/null; dumpsys telephony.registry | grep mCall; gadget phone answer= end= | head -n 1; content query --uri content://call_log/calls --projection number:type",
        "    mCallState=1\n    mCallIncomingNumber=+15551\ncall=\nRow: 0 number=+15551, type=1\n",
      ],
      [
        'gadget phone "message=+1666 it\'s \\$(id); two" > /dev/null; content query --uri content://sms/inbox --projection address:body; content query --uri content://sms --where "address=\'+1777\'"',
        "Row: 0 address=+1666, body=it's $(id); two\nNo result found.\n",
      ],
      ["cmd phone get-imei; dumpsys iphonesubinfo | grep -c 35824005", "Device IMEI: 358240054548789\n1\n"],
      ["gadget device id=35ABCDEF012345; gadget device id=358240054548789 > /dev/null", "id=35ABCDEF012345\n"],
      [
        "cat /dev/blkio/*; gadget disk readRate=52428800 dropCaches=; cat /dev/blkio/*; gadget disk readRate=0 > /dev/null; logcat -d | grep -c drop_caches",
        "readRate=52428800\n253:5 52428800\n1\n",
      ],
      [
        "settings put secure android_id 0123456789abcdef; content query --uri content://settings/secure --where name=\\'android_id\\' --projection value",
        "Row: 0 value=0123456789abcdef\n",
      ],
      [
        "cmd media_session volume --stream 3 --set 3; dumpsys audio | grep streamVolume",
        "volume is 3 in range [0..15]\n   streamVolume:3\n",
      ],
      ["test -w /dev/uhid; echo $?", "0\n"],
    ],
    [
      ["gadget", "gadget: this device has no gadget without a name\n", 1],
      ["gadget constructor", "gadget: this device has no constructor\n", 1],
      ["gadget gps toString=1", "gadget: bad value: toString=1\n", 1],
      ["gadget gps latitude=90.1", "gadget: bad value: latitude=90.1\n", 1],
      ["gadget gps latitude=1e1", "gadget: bad value: latitude=1e1\n", 1],
      ["gadget gps latitude", "gadget: bad value: latitude\n", 1],
      ["gadget gps on=1", "gadget: bad value: on=1\n", 1],
      ["gadget network profile=6g", "gadget: bad value: profile=6g\n", 1],
      ["gadget network signal=5", "gadget: bad value: signal=5\n", 1],
      ["gadget sim simOperator=123", "gadget: bad value: simOperator=123\n", 1],
      ["gadget phone call=me", "gadget: bad value: call=me\n", 1],
      ["gadget phone message=1", "gadget: bad value: message=1\n", 1],
      ["gadget device id=12", "gadget: bad value: id=12\n", 1],
      ["gadget disk readRate=1", "gadget: bad value: readRate=1\n", 1],
      ["content query --uri content://contacts", "content: Error while accessing provider:contacts\n", 1],
      [
        "content query --uri content://sms --where '1=1 or 2'",
        "content: a simulated device knows conditions of the form NAME='VALUE'\n",
        1,
      ],
      ["content delete --uri content://sms", "content: [ERROR] Unsupported operation: delete\n", 1],
      ["cmd phone dial 1", "Unknown command: dial 1\n", 255],
    ],
  );

  it("is not there on a device without a SIM", async () => {
    const { adb, stop } = await testDevice({ spec: aSpec({ hardware: { formFactor: "TV" } }) });
    for (const name of ["network", "sim", "phone", "device"])
      expect(await adb.shell(`gadget ${name}`)).toMatchObject({ stdout: "", exitCode: 1 });
    expect((await adb.shell("content query --uri content://sms")).exitCode).toBe(1);
    expect((await adb.shell("dumpsys telephony.registry; getprop gsm.operator.alpha")).stdout).toBe("\n");
    stop();
  });

  it("slows down what is read from the disk, in the shell and over sync", async () => {
    const { adb, device: simulated } = device();
    await adb.shell("head -c 262144 /dev/zero > /data/local/tmp/big; gadget disk readRate=65536");
    const clock = simulated.clock as TestClock;
    let done = 0;
    const shell = adb.shell("cat /data/local/tmp/big > /dev/null").then(() => done++);
    const pull = (async () => {
      for await (const _ of adb.pull("/data/local/tmp/big"));
      done++;
    })();
    await clock.advance(3_900);
    expect(done).toBe(0);
    await clock.advance(1_000);
    await Promise.all([shell, pull]);
    await adb.shell("gadget disk readRate=0; rm /data/local/tmp/big");
  });
});
